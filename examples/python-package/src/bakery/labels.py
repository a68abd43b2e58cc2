"""What stands on the label of a loaf."""

ALLERGENS = ("gluten", "milk", "nuts")


def weight_text(grams: int) -> str:
    """A weight as a customer reads it: grams below a kilo, kilos above."""
    if grams <= 0:
        raise ValueError("bread weighs something")
    if grams < 1000:
        return f"{grams} g"
    return f"{grams / 1000:g} kg"


def warning(ingredients: list[str]) -> str | None:
    """The warning that the law asks for; None where nobody has to be warned."""
    found = [name for name in ALLERGENS if name in ingredients]
    if not found:
        return None
    return "Contains " + " and ".join(found)


def days_fresh(kind: str, *, frozen: bool = False) -> int:
    """How many days a kind of bread stays fresh."""
    days = {"bun": 1, "loaf": 3, "rye": 7}.get(kind, 2)
    return days * 10 if frozen else days
