package menu

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// requireGolden compares what was drawn with testdata/<name of the test>.golden, and prints both as golden packages do.
func requireGolden(t *testing.T, out []byte) {
	t.Helper()
	path := filepath.Join("testdata", t.Name()+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, out, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	golden, run := quoted(string(kept)), quoted(string(out))
	if golden != run {
		t.Fatalf("output does not match, expected:\n\n%s\n\ngot:\n\n%s\n\ndiff:\n\n%s", golden, run, diff(golden, run))
	}
}

func quoted(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		spelled := strconv.Quote(line)
		lines[i] = spelled[1 : len(spelled)-1]
	}
	return strings.Join(lines, "\n")
}

// diff is one hunk that replaces everything.
func diff(golden, run string) string {
	old, now := strings.Split(golden, "\n"), strings.Split(run, "\n")
	return fmt.Sprintf("--- golden\n+++ run\n@@ -1,%d +1,%d @@\n-%s\n+%s\n",
		len(old), len(now), strings.Join(old, "\n-"), strings.Join(now, "\n+"))
}
