package menu

import (
	"bytes"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

func init() { lipgloss.SetColorProfile(termenv.TrueColor) }

var names = []string{"moved", "restyled", "reworded", "misled", "untouched"}

// TestView keeps single frames.
func TestView(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			next, _ := New(Looks[name]).Update(tea.KeyMsg{Type: tea.KeyDown})
			requireGolden(t, []byte(next.View()))
		})
	}
}

// TestFinalOutput keeps all that a program wrote until it ended.
func TestFinalOutput(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			next, _ := New(Looks[name]).Update(tea.KeyMsg{Type: tea.KeyDown})
			var out bytes.Buffer
			program := tea.NewProgram(next, tea.WithInput(&bytes.Buffer{}), tea.WithOutput(&out))
			if _, err := program.StartReturningModel(); err != nil {
				t.Fatal(err)
			}
			requireGolden(t, out.Bytes())
		})
	}
}

// TestOther fails for a reason of its own.
func TestOther(t *testing.T) {
	if Looks["reworded"].Title != usual.Title {
		t.Fatal("output does not match what was asked for")
	}
}
