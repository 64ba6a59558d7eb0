package machine

import "testing"

func TestKernelKind(t *testing.T) {
	for version, want := range map[string]Kind{
		"": Ticket, "2.6.35": Ticket, "2.6.35.14": Ticket, "3.17": Ticket, "4.1": Ticket, "v4.1.9": Ticket,
		"4.2": Queued, "4.2-rc1": Queued, "v4.20.1": Queued, "5.10": Queued, "6": Queued, "tomorrow": Ticket,
	} {
		if got := KernelKind(version); got != want {
			t.Errorf("%q: %v, want %v", version, got, want)
		}
	}
}
