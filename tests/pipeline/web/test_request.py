"""What `test_from_context` may be asked: each parameter has its kind, and those that do not go together are refused."""

from typing import Any

import pytest

from testwright.generate.web.web_plan import Polarity
from testwright.model.case import WebFramework
from testwright.model.errors import InvalidErrorId, InvalidUrl, TestwrightError, UrlNotAllowed, UsageError
from testwright.pipeline.web.request import OutputFormat, TestContext, WebTestRequest, web_test_request


def asked(**given: Any) -> WebTestRequest:
    return web_test_request({"context": "error", **given})


def test_what_is_not_said_is_as_the_contract_has_it() -> None:
    request = web_test_request({"type": "test_from_context", "context": "error"})

    assert request == WebTestRequest(
        TestContext.ERROR, "", WebFramework.PLAYWRIGHT, OutputFormat.INLINE, "", include_mocks=False
    )
    assert (request.polarity, request.verify, request.session) == (Polarity.GUARD, None, "")


def test_everything_can_be_said() -> None:
    request = asked(
        error_id="err_1706520600000_a1b2c3d4",
        framework="pytest",
        output_format="file",
        base_url="http://localhost:3000",
        include_mocks=True,
        session="cap_20260101T120000_abc",
        polarity="known-bug",
        verify=True,
    )

    assert request.framework is WebFramework.PYTEST
    assert request.output_format is OutputFormat.FILE
    assert request.polarity is Polarity.KNOWN_BUG
    assert (request.include_mocks, request.verify) == (True, True)


@pytest.mark.parametrize(
    "name", ["type", "context", "error_id", "framework", "output_format", "base_url", "session", "polarity", "baseline"]
)
@pytest.mark.parametrize("value", [7, None, ["error"], {"a": 1}, True])
def test_a_text_must_be_a_text(name: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"`{name}` must be a text"):
        asked(**{name: value})


@pytest.mark.parametrize("name", ["include_mocks", "verify"])
@pytest.mark.parametrize("value", ["true", 1, 0, None])
def test_yes_or_no_must_be_that(name: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"`{name}` must be true or false"):
        asked(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("context", "Error"),
        ("context", ""),
        ("framework", "cypress"),
        ("framework", "PLAYWRIGHT"),
        ("output_format", "zip"),
        ("polarity", "both"),
    ],
)
def test_a_choice_must_be_one_of_those_there_are(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"`{name}` must be one of: ") as refused:
        asked(**{name: value})

    assert refused.value.code == "usage"


def test_without_a_context_there_is_nothing_to_make_a_test_from() -> None:
    with pytest.raises(UsageError, match="`context` must be one of: error, interaction, regression"):
        web_test_request({})


def test_a_parameter_that_does_not_exist_is_named_and_those_that_do_are_listed() -> None:
    with pytest.raises(UsageError, match="`errorid\\\\n` is not a parameter") as refused:
        asked(**{"errorid\n": "x"})

    assert "error_id" in refused.value.next_step


def test_another_tools_request_is_refused() -> None:
    with pytest.raises(UsageError, match="test_from_context"):
        asked(type="test_heal")


@pytest.mark.parametrize(
    ("given", "about"),
    [
        ({"context": "interaction", "error_id": "err_1706520600000_a1b2c3d4"}, "error_id"),
        ({"context": "regression", "polarity": "repro"}, "polarity"),
        ({"context": "interaction", "framework": "vitest"}, "vitest"),
        ({"context": "regression", "framework": "jest"}, "jest"),
        ({"context": "error", "baseline": "good"}, "baseline"),
    ],
)
def test_what_does_not_go_together_is_refused(given: dict[str, str], about: str) -> None:
    with pytest.raises(UsageError, match=about):
        web_test_request(given)


@pytest.mark.parametrize(
    "given",
    [
        "err_-1_a1b2c3d4",
        "err_1706520600000_a1b2c3d4' OR '1'='1",
        "../err_1706520600000_a1b2c3d4",
        "err_1706520600000_A1B2C3D4",
        "err_1706520600000_a1b2c3d4\n",
        "err_١٧٠٦٥٢٠٦٠٠٠٠٠_a1b2c3d4",
        "7",
    ],
)
def test_what_cannot_be_the_id_of_an_error_is_refused_as_such(given: str) -> None:
    with pytest.raises(InvalidErrorId) as refused:
        asked(error_id=given)

    assert refused.value.code == "invalid_error_id"
    assert "\n" not in refused.value.message


@pytest.mark.parametrize(
    ("url", "refusal"),
    [
        ("file:///etc/passwd", UrlNotAllowed),
        ("data:text/html,<script>1</script>", UrlNotAllowed),
        ("javascript:alert(1)", UrlNotAllowed),
        ("http://2130706433/", UrlNotAllowed),
        ("http://localhost@evil.test/", UrlNotAllowed),
        ("http://", InvalidUrl),
        ("shop", InvalidUrl),
        ("http://a b/", InvalidUrl),
        ("http://shop.test:99999/", InvalidUrl),
    ],
)
def test_an_address_that_is_none_or_leads_elsewhere_is_refused(url: str, refusal: type[TestwrightError]) -> None:
    with pytest.raises(refusal):
        asked(base_url=url)


@pytest.mark.parametrize(
    ("url", "taken"),
    [
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://127.0.0.1:8000/app/", "http://127.0.0.1:8000/app/"),
        ("http://[::1]:8000/", "http://[::1]:8000/"),
        ("http://\u0430pple.test/", "http://xn--pple-43d.test/"),
        ("http://app.test/cb?code=abcdef0123456789&state=1#access_token=zzzzzzzzzzzz", "http://app.test/cb"),
    ],
)
def test_of_an_address_only_what_belongs_to_a_base_is_kept_and_its_host_can_be_read(url: str, taken: str) -> None:
    assert asked(base_url=url).base_url == taken
