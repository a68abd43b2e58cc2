package menu

// Look is what a redesign changes.
type Look struct {
	Title  string
	Accent string
	Indent int
	Gap    int
	Step   int
}

var usual = Look{Title: "What would you like?", Accent: "#00AA00", Gap: 0, Step: 1}

// Looks has one for each test; at first they are all the same.
var Looks = map[string]Look{
	"moved":     usual,
	"restyled":  usual,
	"reworded":  usual,
	"misled":    usual,
	"untouched": usual,
}
