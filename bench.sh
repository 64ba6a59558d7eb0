#!/bin/sh
# What the seam and the rings cost; BENCHMARKS.md says what the figures mean.
# Takes about three minutes, and keeps all cores busy.
set -eu
cd "$(dirname "$0")"

# The operations that a path is made of must inline, or a nil check would
# become a call.
inlines=$(go build -gcflags=hostlock/machine=-m ./machine 2>&1 || true)
for f in 'Word).Load' 'Word).Store' 'Word).Add' 'Word).Dec' 'Word).Swap' 'Word).CAS' \
	'SpinLock).Lock' 'SpinLock).Unlock' 'Thread).Enter' 'Thread).Leave' 'Thread).Touch' 'Thread).Look' 'Thread).Note'; do
	if ! echo "$inlines" | grep -q "can inline (\*$f\$"; then
		echo "bench: (*$f does not inline any more" >&2
		exit 1
	fi
done
echo "The operations on words, locks, sections and lines inline."
go run ./bench "$@"
