"""Every number that decides about a heal, named for what it decides, with the pass that asks it.

Three passes find lost elements. The *run* pass (`pipeline/healing`) and `heal flutter` need the chain of strategies and
the engine to agree. `test_heal` (`pipeline/healing/on_request`) asks the engine where a passing run was recorded, and
the selector's own words where it was not. `heal match` asks the engine alone.

Numbers that only shape a score, such as the weights of the engine, stay beside the code that adds them up.
"""

# --- The engine (all passes): what the probability of its best candidate leads to -------------------------------------

HEAL_AT = 0.95  # out of fold, the surest wrong answer that no veto caught came to 0.59
SUGGEST_AT = 0.3  # below it nothing is shown either

# --- The engine: vetoes, at any probability ---------------------------------------------------------------------

LEAD_NEEDED = 0.03  # of the score, over the best that is not the same thing to a reader; less is "ambiguous"
STILL_THE_PAGE = 0.1  # of what spoke on the old page must still be there, or it is "other_page"
FEW_SPEAKING = 8  # a page with fewer elements that speak says nothing by their share

# Independent keys that single the element out are strong, what only supports them is weak. Fewer are "too_few_keys".
STRONG_KEYS = 2  # enough by themselves where the old page is known, and with the place where it is not
WEAK_BESIDE_ONE_STRONG = 1
WEAK_BESIDE_ONE_STRONG_IN_ROWS = 2  # where the old page is not known: cells and list items repeat their words
WEAK_IN_A_KNOWN_PLACE = 3  # without a strong key, for an element that has no words of its own

# When one key supports, or speaks against.
CLOSE = 0.8  # of the likeness of location (within a hundred pixels): a weak key
NOT_FAR = 0.5  # of the likeness of location (within 250 pixels): in its old place
SAME_COLUMN = 60.0  # pixels: in its old place, in a header, footer or menu
SAME_NEIGHBOURS = 0.6  # of the likeness of the words around it: a weak key
CONTRADICTS_BELOW = 0.45  # likeness of two values of one key; less speaks against the candidate
OTHER_TEXT_BELOW = 0.2  # likeness of two texts; elements whose texts are less alike are not paired across the two pages

# --- The chain of strategies (run, heal flutter) ----------------------------------------------------------------------

SIMILAR_NAMES = 60.0  # of 100: how alike two names must be for byRole
NEAR = 0.05  # of the viewport, each way: how far byCoordinates looks

# --- Which elements are one thing to a reader (chain and engine) ------------------------------------------------------

SAME_BOX = 0.85  # of the outer box's area is the inner one's

# --- The selector's own words (`test_heal`): which keys are enough ----------------------------------------------------

KEYS_OF_WORDS = 2  # independent ones; one more for each identifier that differs
WEAK_KEYS_OF_WORDS = 3  # where none of them tells the element apart from others of its sort
RIVAL_KEYS = 2  # another element with so many makes it "ambiguous"

# --- The confidence of `test_heal` and what it allows -----------------------------------------------------------------
# By this sum, a heal by attribute ends at 0.8 and one by structure at 0.6, so neither is ever applied without a person.
# A test id needs one of the two bonuses, a role with its name needs uniqueness, a text needs both.

AUTO_APPLY_FROM = 0.9  # may be written without a person looking at it first
CONFIDENCE_BASE = 0.5
BY_TEST_ID = 0.3
BY_ROLE_AND_NAME = 0.2
BY_TEXT = 0.1
BY_ATTRIBUTE = 0.0
BY_STRUCTURE = -0.2
UNIQUE_ABOVE, UNIQUE_BONUS = 0.8, 0.2  # of uniqueness: 1 is one of its sort, 0.5 one of two
OVERLAP_ABOVE, OVERLAP_BONUS = 0.7, 0.1  # of what was known of the element, the share that is as it was
DEPTH_CHANGE_ABOVE, DEPTH_PENALTY = 3, 0.2  # levels of the document
# The most uniqueness that a reworded name, or a name alone, can have: just too little for the bonus.
REWORDED = UNIQUE_ABOVE
ONLY_WORDS = UNIQUE_ABOVE

# --- The page as a whole (`test_heal`) --------------------------------------------------------------------------------

ENOUGH_TO_JUDGE_A_PAGE = 4  # selectors of a file; if none of so many finds anything, it is "other_page"
MOSTLY_BROKEN = 0.5  # of a file's selectors; more than that is noted

# --- Golden screens (`heal golden`) -----------------------------------------------------------------------------------

MOST_CHANGED = 0.5  # of the cells; above it a screen is suggested, not healed

# --- What is shown to a person (all passes) ---------------------------------------------------------------------------

MOST_SUGGESTIONS = 3
MOST_CANDIDATES = 10  # of the engine, in a decision
WORTH_SHOWING = 0.6  # of the best score (run); what is less like the lost element would only mislead
LEAST_LIKENESS = 0.4  # of words (`test_heal`); below it a suggestion would only be noise

# --- When work ends (run, heal flutter) -------------------------------------------------------------------------------

MOST_ATTEMPTS = 100  # failures that one run looks at
