"""Ways to build an instance."""

from tests.generate.inside.values.conftest import Laboratory


def test_constructors_and_factories_are_both_used(lab: Laboratory) -> None:
    made = lab("""
        class Version:
            def __init__(self, major: int, minor: int) -> None:
                self.parts = (major, minor)
            @classmethod
            def parse(cls, version: str) -> "Version":
                major, minor = version.split(".")[:2]
                return cls(int(major), int(minor))
        def newest() -> Version:
            return Version(9, 9)
    """)
    subjects = made.subjects("Version", 12)
    assert subjects[0].startswith("_under_test.Version(")
    assert any(each.startswith("_under_test.Version.parse(") for each in subjects)
    assert "_under_test.newest()" in subjects
    built = [made.outcome(each) for each in subjects]
    assert sum(isinstance(each, made.module.Version) for each in built) > 6


def test_an_abstract_class_is_built_by_its_subclass_or_by_a_small_one_made_on_the_spot(lab: Laboratory) -> None:
    made = lab("""
        from abc import ABC, abstractmethod
        class Shape(ABC):
            @abstractmethod
            def area(self): ...
            def double(self): return self.area() * 2
        class Square(Shape):
            def __init__(self, side: int): self.side = side
            def area(self): return self.side ** 2
        class Sound(ABC):
            @abstractmethod
            def play(self): ...
            def twice(self): return (self.play(), self.play())
    """)
    assert made.subjects("Shape")[0].startswith("_under_test.Square(")
    small = made.subjects("Sound")[0]
    assert made.outcome(f"({small}).twice()") == (None, None)


def test_members_of_an_enumeration_are_built_by_value(lab: Laboratory) -> None:
    made = lab("""
        from enum import Enum
        class Level(Enum):
            LOW = 1
            HIGH = object()
    """)
    assert made.subjects("Level") == ["_under_test.Level(1)", 'getattr(_under_test.Level, "HIGH")']
    assert [made.outcome(each) for each in made.subjects("Level")] == list(made.module.Level)


def test_an_instance_in_the_module_is_used_as_a_copy(lab: Laboratory) -> None:
    made = lab("""
        class Registry:
            def __init__(self, *, token):
                if token is not Registry.secret: raise ValueError
            secret = object()
        DEFAULT = Registry(token=Registry.secret)
    """)
    assert "copy.deepcopy(_under_test.DEFAULT)" in made.subjects("Registry", 200)


def test_exceptions_get_a_message(lab: Laboratory) -> None:
    made = lab("""
        class Broken(Exception):
            pass
    """)
    assert any(each == '_under_test.Broken("message")' for each in made.subjects("Broken"))


def test_arguments_of_a_constructor_fit_what_the_caller_does_with_the_object(lab: Laboratory) -> None:
    made = lab("""
        class Item:
            def __init__(self, key, sep, value):
                self.key, self.sep, self.value = key, sep, value
        def handle(item: Item):
            rules = {"=": "data", "==": "query"}
            return rules[item.sep]
    """)
    assert {"data", "query"} <= {each for each in made.results("handle", 30) if isinstance(each, str)}


def test_a_class_that_needs_one_of_itself_ends(lab: Laboratory) -> None:
    made = lab("""
        class Chain:
            def __init__(self, next_one: "Chain | None"):
                self.next_one = next_one
    """)
    assert "_under_test.Chain(None)" in made.subjects("Chain")
