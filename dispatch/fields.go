package dispatch

import "hostlock/machine/layout"

// The fields of the mid-layer's structs that the path and its strategies use, by
// the kernel's names: what a layout may place. Which of them a strategy has, and
// on which lines of its own accord, it declares itself.
func init() {
	host := func(name, about string) layout.Field {
		return layout.Field{Name: "Scsi_Host." + name, Scope: layout.PerHost, About: about}
	}
	target := func(name, about string) layout.Field {
		return layout.Field{Name: "scsi_target." + name, Scope: layout.PerTarget, About: about}
	}
	device := func(name, about string) layout.Field {
		return layout.Field{Name: "scsi_device." + name, Scope: layout.PerDevice, About: about}
	}
	queue := func(name, alias, about string) layout.Field {
		return layout.Field{Name: "request_queue." + name, Scope: layout.PerDevice, About: about, Alias: alias}
	}
	layout.Register(
		host("default_lock", "the host lock's word"),
		host("free_list_lock", "lock of the list of spare commands"),
		host("free_list", "spare commands"),
		host("starved_list", "devices that wait for a slot"),
		host("host_busy", "commands active on the host"),
		host("host_failed", "commands that wait for the error handler"),
		host("cmd_serial_number", "the last command's number, until 2.6.37"),
		host("host_self_blocked", "whether the host refuses everything"),
		host("host_blocked", "counts down after HOST_BUSY"),
		host("shost_state", "the host's state"),
		target("target_busy", "commands active on the target"),
		target("target_blocked", "counts down after TARGET_BUSY"),
		device("host", "pointer to the host, which most sections begin with; written by nobody"),
		device("request_queue", "pointer to the queue, written by nobody"),
		device("device_busy", "commands active on the device"),
		device("device_blocked", "counts down after DEVICE_BUSY"),
		device("list_lock", "lock of the list of live commands"),
		device("cmd_list", "live commands"),
		device("starved_entry", "the device's place on the starved list"),
		device("sdev_state", "the device's state"),
		queue("queue_head", "", "requests that wait"),
		queue("queue_flags", "", "plugged, stopped"),
		queue("queue_lock", "__queue_lock", "the queue lock's word; until 4.20 it was __queue_lock where no driver gave its own"),
		queue("unplug_work", "delay_work", "what kblockd is to do"),
	)
}

// Own declares a line that a strategy or the path has some of the host's fields
// on; the class names it in reports. The run's layout may have them elsewhere.
func (h *Host) Own(class string) layout.Own { return h.object.Own(class) }

// Object is the host's structs, for what [Host.Own] does not do.
func (h *Host) Object() *layout.Object { return h.object }

// Own is the same for a target's fields.
func (tg *Target) Own(class string) layout.Own { return tg.object.Own(class) }

// Own is the same for the fields of a device and of its queue.
func (d *Device) Own(class string) layout.Own { return d.object.Own(class) }

// Object is the device's structs, for what [Device.Own] does not do.
func (d *Device) Object() *layout.Object { return d.object }

// Layout says which fields share a line in this system.
func (sys *System) Layout() *layout.Map { return sys.layout }
