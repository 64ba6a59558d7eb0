package fio

import (
	"fmt"
	"strings"
)

// engine is one of fio's ioengines: what it means for the path.
type engine struct {
	name  string
	about string
	async bool   // a thread keeps iodepth operations under way
	null  bool   // nothing reaches a device
	mmap  bool   // through the page cache whatever direct says
	lock  string // class of the lock that a completion takes
}

// Engines whose file descriptors lead to a local file or block device.
var engines = []engine{
	{name: "psync", about: "one operation at a time"},
	{name: "sync", about: "one operation at a time"},
	{name: "vsync", about: "one operation at a time"},
	{name: "pvsync", about: "one operation at a time"},
	{name: "pvsync2", about: "one operation at a time"},
	{name: "libaio", about: "io_submit and io_getevents: iodepth operations under way; with direct=0 each is over when it was submitted, as in the kernel", async: true, lock: "ctx_lock"},
	{name: "io_uring", about: "as libaio, with one system call for submission and one for reaping", async: true, lock: "completion_lock"},
	{name: "posixaio", about: "as libaio: the C library's helper threads are left out, and their switches with them", async: true, lock: "ctx_lock"},
	{name: "mmap", about: "page faults: buffered reads and writes, one at a time", mmap: true},
	{name: "null", about: "no device: processor time of fio's own loop alone", null: true},
}

var notBlock = map[string]string{
	"net": "a network, and no block device", "netsplice": "a network, and no block device", "rdma": "a network", "http": "a network",
	"nbd": "a network", "nfs": "a network", "rados": "a network", "rbd": "a network", "gfapi": "a network", "gfapi_async": "a network",
	"libhdfs": "a network", "libiscsi": "a network", "dfs": "a network", "ime_sync": "a network", "ime_psync": "a network",
	"ime_psyncv": "a network", "ime_aio": "a network",
	"librpma_apm_client": "a network", "librpma_apm_server": "a network", "librpma_gpspm_client": "a network", "librpma_gpspm_server": "a network",
	"guasi": "an interface that no kernel has", "cpuio": "processor time alone, and no I/O", "exec": "a program, and no I/O of fio's own",
	"falloc": "a file system's allocation, which is not modelled", "ftruncate": "a file system's allocation, which is not modelled",
	"e4defrag": "a file system's allocation, which is not modelled", "filecreate": "a file system's names, which are not modelled",
	"filestat": "a file system's names, which are not modelled", "filedelete": "a file system's names, which are not modelled",
	"dircreate": "a file system's names, which are not modelled", "dirstat": "a file system's names, which are not modelled", "dirdelete": "a file system's names, which are not modelled",
	"splice": "pipes, whose copies are not modelled", "sg": "passthrough beside the block layer's merges: lab has sgp_dd for it",
	"io_uring_cmd": "NVMe passthrough: no SCSI command", "xnvme": "NVMe passthrough: no SCSI command", "libblkio": "a user-space driver: the kernel's path is left out",
	"mtd": "flash without the block layer", "pmemblk": "persistent memory without the block layer", "dev-dax": "persistent memory without the block layer",
	"libpmem": "persistent memory without the block layer", "libzbc": "zones, which are not modelled", "libcufile": "a GPU's memory, which is not modelled",
	"cpp_null": "a plug-in that is loaded", "external": "a plug-in that is loaded", "solarisaio": "another system's", "windowsaio": "another system's", "syslet-rw": "an interface that no kernel has",
}

func engineNamed(name string) *engine {
	for i := range engines {
		if engines[i].name == name {
			return &engines[i]
		}
	}
	return nil
}

func setEngine(j *job, v string) error {
	name, _, external := strings.Cut(v, ":")
	if e := engineNamed(name); e != nil && !external {
		j.engine = e
		return nil
	}
	var legal []string
	for _, e := range engines {
		legal = append(legal, e.name)
	}
	if external {
		name = "external"
	}
	if why, known := notBlock[name]; known {
		return fmt.Errorf("engine %s is %s; legal: %s", name, why, strings.Join(legal, ", "))
	}
	return fmt.Errorf("unknown engine %q; legal: %s", v, strings.Join(legal, ", "))
}
