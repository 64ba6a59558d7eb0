package dispatch

import (
	"slices"

	"hostlock/machine/param"
)

const (
	fromFit      = "a choice: near the hold times that a throw-away model of the published host-lock table needed (2.0/1.1/2.0/2.0 us); io_request_lock was held 1.4 to 1.8 us in the mean on a 500 MHz Pentium III (linux-kernel, 2001)"
	alike        = "no source tells the four sections apart, so they are alike"
	fromTemplate = "the driver's template"
	assumed      = "assumed: no source gives it"
)

// Params declares every parameter of the mid-layer. The same work is charged
// under every strategy; only where it is done differs.
func Params() []param.Spec {
	dur := func(name, def, about, source string) param.Spec {
		return param.Spec{Name: name, Kind: param.Duration, Default: def, About: about, Source: source}
	}
	weight := func(name, about string) param.Spec {
		return param.Spec{Name: name, Kind: param.Float, Default: "1", Max: 100, About: "work of " + about + ", as a multiple of midlayer.section", Source: alike}
	}
	count := func(name, def string, min, max float64, about, source string) param.Spec {
		return param.Spec{Name: name, Kind: param.Int, Default: def, Min: min, Max: max, About: about, Source: source}
	}
	return append([]param.Spec{
		dur("midlayer.section", "2us", "mean work of one of the four measured sections, once a command: the checks of scsi_request_fn, scsi_dispatch_cmd before queuecommand, scsi_device_unbusy, scsi_run_queue", fromFit),
		weight("midlayer.request_fn", "scsi_request_fn's target and host checks"),
		weight("midlayer.dispatch_cmd", "scsi_dispatch_cmd before queuecommand: serial number, state check"),
		weight("midlayer.device_unbusy", "scsi_device_unbusy"),
		weight("midlayer.run_queue", "scsi_run_queue"),
		dur("midlayer.make_request", "1us", "mean work of __make_request and of preparing the command, outside any lock", assumed),
		dur("midlayer.softirq_done", "500ns", "mean work of scsi_softirq_done, outside any lock", assumed),
		dur("midlayer.io_completion", "1.5us", "mean work of scsi_finish_command and scsi_io_completion, outside any lock", assumed),
		{Name: "midlayer.shape", Kind: param.Choice, Default: "lognormal", Choices: shapes, About: "distribution of every work time of the mid-layer", Source: "a choice: positive and skewed, as measured code paths are"},
		{Name: "midlayer.cv", Kind: param.Float, Default: "0.3", Max: 10, About: "standard deviation over mean of those times, where they are lognormal", Source: "a choice: the throw-away model used 0.3 to 0.48"},
		dur("midlayer.unplug_delay", "3ms", "how long a plugged queue waits before kblockd runs it", "S35 blk-core.c: unplug_delay 3 ms"),
		count("midlayer.max_device_blocked", "3", 1, 1000, "what DEVICE_BUSY sets device_blocked to", "S35: SCSI_DEFAULT_DEVICE_BLOCKED 3"),
		count("midlayer.max_target_blocked", "3", 1, 1000, "what TARGET_BUSY sets target_blocked to", "S35: SCSI_DEFAULT_TARGET_BLOCKED 3"),
		count("midlayer.retries", "5", 0, 1000, "how often a failed command is tried again", "S35 sd.h: SD_MAX_RETRIES 5"),
		dur("midlayer.timeout", "30s", "a command's timeout; one put back for longer than (retries+1) times that is finished as it is", "S35 sd.h: SD_TIMEOUT 30 s"),
		{Name: "midlayer.error_handling", Kind: param.Bool, Default: "false", About: "commands time out, and an error handler aborts, resets and takes offline", Source: "a choice: off, since nothing fails unless a fault is asked for"},
		{Name: "midlayer.eh_scale", Kind: param.Float, Default: "1", Max: 1000, About: "what midlayer.timeout and the handler's own times are multiplied with when errors are handled", Source: "a choice: the kernel's own times; small makes short runs"},
		{Name: "midlayer.allow_restart", Kind: param.Bool, Default: "false", About: "the handler sends START UNIT to a device that says it must be started; otherwise its commands fail", Source: "S35 scsi_device.h: allow_restart, off unless the driver or the user asks for it"},
		dur("midlayer.eh_settle", "10s", "how long the handler waits after a reset of the bus or the host", "S35 scsi_error.c: BUS_RESET_SETTLE_TIME, HOST_RESET_SETTLE_TIME 10 s"),
		dur("midlayer.eh_probe_timeout", "10s", "how long the handler waits for the answer to TEST UNIT READY", "S35 scsi_error.c: SENSE_TIMEOUT 10 s"),
		{Name: "midlayer.track_queue_depth", Kind: param.Bool, Default: "false", About: "TASK SET FULL lowers the queue depth of every device of the target by 1, and success raises it by 1 a period", Source: "S35 does where the driver has change_queue_depth; off, since no source says which depth the published hosts came to"},
		count("midlayer.queue_full_times", "1", 1, 1000, "how many TASK SET FULL at one depth, in ticks of 16 ms apart, lower it; 1 has each lower it", "S35 calls change_queue_depth each time, which most drivers leave to scsi_track_queue_full: that waits for 11 [K]"),
		dur("midlayer.ramp_up_period", "2m", "how long a queue depth stays before it is raised", "S35 scsi_scan.c: SCSI_DEFAULT_RAMP_UP_PERIOD 120 s"),
		{Name: "midlayer.historic_target_bug", Kind: param.Bool, Default: "false", About: "admit a device that is already on the starved list although its target is busy", Source: "S35 to S37 did, S30 no longer does"},

		count("host.can_queue", "-1", -1, 1<<20, "commands active on a host; 0 unlimited, -1 the driver's", fromTemplate),
		count("host.cmd_per_lun", "-1", -1, 1<<20, "queue depth of a device; -1 the driver's", fromTemplate),
		count("host.target_can_queue", "-1", -1, 1<<20, "commands active on a target; 0 unlimited, -1 the driver's", fromTemplate),
		count("host.sg_tablesize", "-1", -1, 1<<16, "scatter/gather entries a command; -1 the driver's", fromTemplate),
		count("host.max_sectors", "-1", -1, 1<<20, "512-byte sectors a command; 0 is 1024, -1 the driver's", fromTemplate),
		count("host.max_segment_size", "-1", -1, 1<<30, "bytes a segment; -1 the driver's", fromTemplate),
		count("host.max_host_blocked", "-1", -1, 1000, "what HOST_BUSY sets host_blocked to; -1 the driver's", "S35: SCSI_DEFAULT_HOST_BLOCKED 7 unless the template says otherwise"),
		dur("host.remove_at", "0", "when host 0 is removed under load, from the start of the run; 0 is never", "a choice: no faults"),
		dur("host.remove_device_at", "0", "the same of the first device of every host", "a choice: no faults"),
		{Name: "host.dma_boundary", Kind: param.Choice, Default: "template", Choices: []string{"template", "4k", "64k", "1m", "16m", "none"}, About: "what no segment may cross", Source: fromTemplate},
		{Name: "host.needs_host_lock", Kind: param.Choice, Default: "template", Choices: []string{"template", "true", "false"}, About: "whether queuecommand relies on the host lock", Source: fromTemplate},
		{Name: "host.use_clustering", Kind: param.Choice, Default: "template", Choices: []string{"template", "true", "false"}, About: "whether neighbouring pages may share a segment", Source: fromTemplate},
		{Name: "device.capacity", Kind: param.Bytes, Default: "64g", Min: 1 << 20, Max: 1 << 50, About: "size of every device", Source: "a choice: SSDs of 2010 had 32 to 160 GB"},
	}, slices.Concat(unlikeParams(), taskSetParams(), sgParams())...)
}
