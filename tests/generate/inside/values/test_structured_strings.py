"""Structured strings by topic."""

import json

from testwright.generate.inside.values.structured_strings import TOPICS, examples, words_in


def test_words_are_found_in_names_of_any_style() -> None:
    assert {"http", "server", "name"} <= words_in("HTTPServerName")
    assert {"query", "string"} <= words_in("query_string")


def test_what_a_callee_asks_for_comes_before_what_the_name_says() -> None:
    found = examples(["json"], "url", set(), set())
    assert json.loads(found.likely[0]) == {"key": "value"}
    assert any(each.startswith("https://example.com") for each in found.likely)


def test_the_names_around_only_make_a_topic_possible() -> None:
    found = examples((), "x", {"email"}, {"csv"})
    assert not found.likely
    assert found.possible[0] == "ada@example.com"
    assert any("," in each for each in found.rest)


def test_no_example_names_a_real_host_or_a_place_of_this_machine() -> None:
    for topic in TOPICS.values():
        for example in topic.examples:
            for start in ("/etc", "/home", "/tmp", "/usr", "~", ".."):
                assert not example.startswith(start)
            if "://" in example:
                assert "example.com" in example or "127.0.0.1" in example
