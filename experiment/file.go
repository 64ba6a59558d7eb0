package experiment

// file is the layout of an experiment's TOML. Pointers tell a value that is
// missing from a zero.
type file struct {
	Name       *string         `toml:"name"`
	Title      *string         `toml:"title"`
	About      *string         `toml:"about"`
	Source     *string         `toml:"source"`
	Strategy   *string         `toml:"strategy"`
	Driver     *string         `toml:"driver"`
	Workload   *string         `toml:"workload"`
	Machine    *string         `toml:"machine"`
	Cores      *int64          `toml:"cores"`
	Sockets    *int64          `toml:"sockets"`
	Threads    *int64          `toml:"threads"`
	HBAs       *int64          `toml:"hbas"`
	LUNsPerHBA *int64          `toml:"luns_per_hba"`
	Duration   *string         `toml:"duration"`
	Warmup     *string         `toml:"warmup"`
	LiveFor    *string         `toml:"live_duration"`
	Seed       *int64          `toml:"seed"`
	NotGiven   []string        `toml:"not_given"`
	UsedToFit  []string        `toml:"used_to_fit"`
	Scale      fileScale       `toml:"scale"`
	Parameters []fileParameter `toml:"parameter"`
	Cases      []fileCase      `toml:"case"`
}

type fileScale struct {
	Parameters []string `toml:"parameters"`
}

type fileParameter struct {
	Name   *string `toml:"name"`
	Value  any     `toml:"value"`
	Fitted bool    `toml:"fitted"`
	Source string  `toml:"source"`
}

type fileCase struct {
	Name     *string  `toml:"name"`
	Strategy string   `toml:"strategy"`
	Driver   string   `toml:"driver"`
	Workload string   `toml:"workload"`
	Set      []string `toml:"set"`
}

// keys lists, for each table of a file, the keys that it may have; "" is the
// file itself.
type keys map[string][]string

// costKeys are those of a cost table.
var costKeys = keys{"": {"[[parameter]]"}, "parameter": experimentKeys["parameter"]}

// experimentKeys are those of an experiment's file.
var experimentKeys = keys{
	"": {"name", "title", "about", "source", "strategy", "driver", "workload", "machine",
		"cores", "sockets", "threads", "hbas", "luns_per_hba", "duration", "warmup", "live_duration", "seed",
		"not_given", "used_to_fit", "[scale]", "[[parameter]]", "[[case]]"},
	"scale":     {"parameters"},
	"parameter": {"name", "value", "fitted", "source"},
	"case":      {"name", "strategy", "driver", "workload", "set"},
}
