package fio

import "strings"

// quiet are the options that change nothing here, by the reason why.
func quiet() []option {
	var out []option
	for _, g := range []struct{ why, names string }{
		{"text of the report", "description unit_base percentile_list clat_percentiles lat_percentiles slat_percentiles significant_figures unified_rw_reporting disk_util stats block_error_percentiles error_dump"},
		{"fio's own logs", "write_bw_log write_lat_log write_iops_log write_hist_log bwavgtime iopsavgtime log_avg_msec log_hist_msec log_hist_coarseness log_max_value log_offset log_prio log_compression log_compression_cpus log_store_compressed log_unix_epoch log_alternate_epoch log_alternate_epoch_clock_id log_issue_time log_entries log_window_value per_job_logs write_iolog"},
		{"fio's clock", "clocksource gtod_reduce gtod_cpu disable_lat disable_clat disable_slat disable_bw_measurement"},
		{"fio's memory", "mem=iomem lockmem thp huge_page_size=hugepage-size mem_align=iomem_align"},
		{"contents of data, which no command here looks at", "zero_buffers! refill_buffers! scramble_buffers buffer_pattern buffer_compress_percentage buffer_compress_chunk"},
		{"patterns of verification; what is read back is what verify says", "verify_interval verify_offset verify_pattern verify_pattern_interval verify_header_seed verify_fatal verify_dump verify_async verify_async_cpus verifysort verifysort_nr verify_backlog_batch experimental_verify verify_state_load verify_state_save verify_write_sequence"},
		{"how files come to be; here they lie on the devices before the run", "create_serialize create_fsync create_on_open allow_file_create allow_mounted_write overwrite fallocate unlink! unlink_each_loop! lockfile unique_filename openfiles fadvise_hint write_hint fdp_stream"},
		{"the page cache begins empty, and no other program fills it", "invalidate pre_read fsync_on_close"},
		{"processes and threads are alike here", "thread! threads! uid gid nice numa_cpu_nodes numa_mem_policy cgroup cgroup_weight cgroup_nodelete cpus_allowed_policy"},
		{"no elevator here sorts by priority", "prio prioclass priohint cmdprio cmdprio_class cmdprio_percentage cmdprio_hint cmdprio_bssplit ioscheduler"},
		{"numbers come from the lab's seed", "randrepeat allrandrepeat randseed random_generator"},
		{"no driver here has queues that are polled, and without them the kernel waits for the interrupt", "hipri! hipri_percentage"},
		{"details of one engine's system calls, which fio.call is the mean of", "userspace_reap! fixedbufs! registerfiles! nonvectored uncached nowait readfua writefua sg_write_mode force_async md_per_io_size pi_chk"},
		{"a bound that fio checks and no host would", "rate_min=ratemin rate_iops_min rate_cycle=ratecycle exitall_on_error! exec_prerun exec_postrun ignore_error allow_file_create_mode"},
		{"the lab's window is the steady state that is measured", "steadystate=ss steadystate_duration=ss_dur steadystate_ramp_time=ss_ramp steadystate_check_interval=ss_interval"},
	} {
		for _, n := range names(g.names) {
			n.quiet, n.about = true, g.why
			out = append(out, n)
		}
	}
	return out
}

// refusals are the options that would change the answer and are not modelled.
// Behind a slash are the values with which one is off.
func refusals() []option {
	var out []option
	for _, g := range []struct{ why, names string }{
		{"zones of a device are not modelled", "zonemode/none zonesize/0 zonecapacity/0 zonerange/0 zoneskip/0 read_beyond_wp/0 max_open_zones/0 job_max_open_zones/0 ignore_zone_limits/0 zone_reset_threshold/0 zone_reset_frequency/0 recover_zbd_write_error/0"},
		{"protection information is not modelled", "pi_act/0 apptag apptag_mask"},
		{"placement on the device (FDP, streams) is not modelled", "fdp/0 fdp_pli fdp_pli_select plids plid_select dataplacement/none dp_scheme stream_id/0"},
		{"contents decide nothing here, so that a device that looks for duplicates cannot be asked", "dedupe_percentage/0 dedupe_mode/repeat dedupe_working_set_percentage dedupe_global/0"},
		{"no command of this path discards", "trim_percentage/0 trim_verify_zero/0 trim_backlog/0 trim_backlog_batch/0 num_range/1"},
		{"a recorded trace is another load than the job's options", "read_iolog read_iolog_chunked/0 replay_no_stall/0 replay_redirect replay_scale/1 replay_align/0 replay_time_scale/100 replay_skip merge_blktrace_file merge_blktrace_scalars merge_blktrace_iters"},
		{"a depth that looks for a latency is not modelled", "latency_target/0 latency_window/0 latency_percentile/100 latency_run/0 max_latency/0"},
		{"jobs that balance one another are not modelled", "flow/0 flow_id/0 flow_sleep/0 flow_watermark"},
		{"a submitting thread of its own is not modelled", "io_submit_mode/inline sqthread_poll/0 sqthread_poll_cpu"},
		{"a write that waits for those it overlaps is not modelled", "serialize_overlap/0"},
		{"a thread that never sleeps between operations is not modelled", "thinktime_iotime/0 rate_ignore_thinktime/0"},
		{"a file system that runs full is not modelled", "fill_device=fill_fs/0 file_append/0"},
		{"the job would do no I/O", "create_only/0 verify_only/0"},
		{"barriers and partial syncs are not modelled", "write_barrier/0 sync_file_range"},
		{"atomic writes are not modelled", "atomic/0"},
		{"files that are found in a folder are not there", "opendir"},
		{"a profile of fio's own is no job", "profile"},
		{"only all jobs of the load can be ended", "exit_what/all"},
		{"offsets that are aligned otherwise than by ba are not modelled", "offset_align/0"},
		{"an option of an engine that leads to no local block device", "cpuload cpumode cpuchunks exit_on_io_done hostname port protocol nodelay pingpong listen interface ttl bindname serverip clientname pool rbdname rbd volume brick uri nfs_url https http_host http_user http_pass http_s3_key http_s3_keyid http_s3_region http_s3_storage_class http_swift_auth_token http_mode http_verbose cont chunk_size object_class svcl busy_poll conf ssid donorname inplace mode program arguments grace_time std_redirect skip_bad cuda_io gpu_dev_ids gpu_dev_id direct_write_to_pmem busy_wait_polling verb cmd_type namenode hdfsdirectory http_s3_sse_customer_key http_s3_sse_customer_algorithm readwritemode"},
	} {
		for _, n := range names(g.names) {
			n.refused, n.about = true, g.why
			out = append(out, n)
		}
	}
	return out
}

// names reads a list: NAME=ALIAS/OFF, with a mark for one that may stand alone.
func names(list string) []option {
	var out []option
	for w := range strings.FieldsSeq(list) {
		var o option
		w, o.off, _ = strings.Cut(w, "/")
		w, o.flag = strings.CutSuffix(w, "!")
		o.name, o.aliases, _ = strings.Cut(w, "=")
		out = append(out, o)
	}
	return out
}
