package lab

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/record/imports"
)

// recordImportCommand is `lab record import`.
func (a *app) recordImportCommand() *cobra.Command {
	f := recordFlags{format: "text"}
	var frame imports.Frame
	cmd := &cobra.Command{
		Use:   "import [flags] FILE...",
		Short: "what other tools' files say about locks, and what they lack",
		Long: `Reads Go's mutex, block and CPU profiles, the text of go test -bench -cpu, and
/proc/lock_stat. Each answers what it can: which lock is waited for, for how
long. What it lacks, the holds as a rule, is said, and how to get it.`,
		Example: "  lab record import mutex.pb.gz\n  lab record import --seconds 30 lock_stat.txt",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("no file to import; legal: a mutex, block or CPU profile, go test -bench text, /proc/lock_stat")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if f.format != "text" && f.format != "json" {
				return usagef("--format %q; legal: text, json", f.format)
			}
			if frame.Seconds < 0 || frame.Procs < 0 {
				return usagef("--seconds and --procs are not negative")
			}
			if f.output != "" && len(args) > 1 {
				return usagef("-o takes one record, and there are %d files", len(args))
			}
			for _, path := range args {
				r, err := imports.File(path, frame)
				var format *imports.FormatError
				if errors.As(err, &format) {
					return usage(err)
				}
				if err != nil {
					return err
				}
				r.Command = path
				if err := a.writeRecord(r, &f); err != nil {
					return err
				}
			}
			return nil
		},
	}
	grouped(cmd, "What the file lacks:", func(fs *pflag.FlagSet) {
		fs.Float64Var(&frame.Seconds, "seconds", 0, "over how many seconds it was collected; the file's own where it has them, without it")
		fs.IntVar(&frame.Procs, "procs", 0, "GOMAXPROCS; not known without it")
	})
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.StringVarP(&f.output, "output", "o", "", "write the record there as JSON, and beside it as .pb.gz for go tool pprof; only the text without it")
		fs.Var(word{&f.format, "NAME"}, "format", "on stdout: text, or json")
		fs.BoolVar(&f.full, "full", false, "all sites, and not what fits a screen")
	})
	completeFlags(cmd)
	return cmd
}
