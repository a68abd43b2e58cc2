// Package menu is a small Bubble Tea program whose screens are kept in golden files.
package menu

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// Model is a list of drinks with one of them chosen.
type Model struct {
	Look   Look
	Drinks []string
	Cursor int
}

// New gives the model as a person meets it first.
func New(look Look) Model {
	return Model{Look: look, Drinks: []string{"Black tea", "Coffee", "Cocoa with cream"}}
}

// Init has nothing to do.
func (m Model) Init() tea.Cmd { return tea.Quit }

// Update moves the cursor.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if key, ok := msg.(tea.KeyMsg); ok && key.String() == "down" {
		m.Cursor += m.Look.Step
	}
	return m, nil
}

// View draws the whole screen.
func (m Model) View() string {
	accent := lipgloss.NewStyle().Foreground(lipgloss.Color(m.Look.Accent)).Bold(true)
	chosen := lipgloss.NewStyle().Reverse(true)
	lines := []string{accent.Render(m.Look.Title), ""}
	for i, drink := range m.Drinks {
		mark, text := "  ", drink
		if i == m.Cursor {
			mark, text = "> ", chosen.Render(drink)
		}
		lines = append(lines, strings.Repeat(" ", m.Look.Indent)+mark+text)
	}
	lines = append(lines, strings.Split(strings.Repeat("\n", m.Look.Gap), "\n")...)
	return strings.Join(append(lines, "up/down: choose   enter: order   q: leave"), "\n")
}
