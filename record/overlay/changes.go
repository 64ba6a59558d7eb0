package overlay

import "go/ast"

// internalSync renames the methods of internal/sync.Mutex, which sync.Mutex,
// sync.Map and unique take. The names are exported: RWMutex's methods reach them
// from package sync. They are promoted to no type of a user's.
func internalSync(root string) (*source, error) {
	s, err := parse(root, "internal/sync/mutex.go")
	if err != nil {
		return nil, err
	}
	if err := s.expect("Mutex", "state", "sema"); err != nil {
		return nil, err
	}
	return s, firstError(
		s.rename("Mutex", "Lock", "HostlockLock", ""),
		s.rename("Mutex", "TryLock", "HostlockTryLock", "bool"),
		s.rename("Mutex", "Unlock", "HostlockUnlock", ""),
	)
}

// syncMutex is left as it is: its methods call those of internal/sync.Mutex.
func syncMutex(root string) (*source, error) {
	s, err := parse(root, "sync/mutex.go")
	if err != nil {
		return nil, err
	}
	return s, s.expect("Mutex", "_", "mu")
}

// rwMutex renames the methods of RWMutex, and lets them take the inner Mutex
// unrecorded.
func rwMutex(root string) (*source, error) {
	s, err := parse(root, "sync/rwmutex.go")
	if err != nil {
		return nil, err
	}
	if err := s.expect("RWMutex", "w", "writerSem", "readerSem", "readerCount", "readerWait"); err != nil {
		return nil, err
	}
	inner := map[string]string{"Lock": "mu.HostlockLock", "TryLock": "mu.HostlockTryLock", "Unlock": "mu.HostlockUnlock"}
	for _, d := range s.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || receiver(f) != "RWMutex" {
			continue
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && inner[call.Sel.Name] != "" {
				if of, ok := call.X.(*ast.SelectorExpr); ok && of.Sel.Name == "w" {
					s.replace(call.Sel, inner[call.Sel.Name])
				}
			}
			return true
		})
	}
	if len(s.edits) == 0 {
		return nil, refuse("sync/rwmutex.go of this toolchain takes no inner Mutex: its shape is unknown, so nothing is built")
	}
	return s, firstError(
		s.rename("RWMutex", "Lock", "hostlockPlain_Lock", ""),
		s.rename("RWMutex", "TryLock", "hostlockPlain_TryLock", "bool"),
		s.rename("RWMutex", "Unlock", "hostlockPlain_Unlock", ""),
		s.rename("RWMutex", "RLock", "hostlockPlain_RLock", ""),
		s.rename("RWMutex", "TryRLock", "hostlockPlain_TryRLock", "bool"),
		s.rename("RWMutex", "RUnlock", "hostlockPlain_RUnlock", ""),
	)
}

// processes lets the scheduler tell what a goroutine does that holds a timed
// lock. System calls pass by casgstatus as a rule.
func processes(root string) (*source, error) {
	s, err := parse(root, "runtime/proc.go")
	if err != nil {
		return nil, err
	}
	return s, firstError(
		s.begin("casgstatus", "if gp.hostlock.active != 0 { hostlockStatus(gp, newval) }", 3),
		s.begin("reentersyscall", "if hl := getg(); hl.hostlock.active != 0 { hostlockStatus(hl, _Gsyscall) }", 3),
		s.begin("exitsyscall", "if hl := getg(); hl.hostlock.active != 0 { hostlockStatus(hl, _Grunning) }", 0),
	)
}

// goroutine adds a field to the end of g.
func goroutine(root string) (*source, error) {
	s, err := parse(root, "runtime/runtime2.go")
	if err != nil {
		return nil, err
	}
	g, _, err := s.structure("g")
	if err != nil {
		return nil, err
	}
	at := s.offset(g.Fields.Closing)
	s.edits = append(s.edits, edit{at, at, "\thostlock hostlockG\n"})
	return s, nil
}

// assists times a holder's work for the collector.
func assists(root string) (*source, error) {
	s, err := parse(root, "runtime/mgcmark.go")
	if err != nil {
		return nil, err
	}
	f, err := s.function("", "gcAssistAlloc")
	if err != nil {
		return nil, err
	}
	if f.Type.Params.NumFields() != 1 || f.Type.Results.NumFields() != 0 {
		return nil, refuse("runtime/mgcmark.go: gcAssistAlloc of this toolchain has another signature: its shape is unknown, so nothing is built")
	}
	s.replace(f.Name, "hostlockPlain_gcAssistAlloc")
	at := s.offset(f.End())
	s.edits = append(s.edits, edit{at, at, "\n\nfunc gcAssistAlloc(gp *g) { hostlockAssist(gp) }\n"})
	return s, nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
