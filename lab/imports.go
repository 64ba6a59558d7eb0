package lab

// What registers itself: strategies, drivers and kinds of workload.
import (
	_ "hostlock/dispatch/lld"
	_ "hostlock/strategies"
	_ "hostlock/workload/dd"
	_ "hostlock/workload/disktest"
	_ "hostlock/workload/ffsb"
	_ "hostlock/workload/fio"
	_ "hostlock/workload/sgpdd"
)
