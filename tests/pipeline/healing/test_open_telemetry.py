"""Counters reach OpenTelemetry when the environment asks for it, and a broken collector spoils no run."""

from collections.abc import Iterator

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from testwright.model.heal import Strategy
from testwright.model.result import CounterValue
from testwright.pipeline.healing.heal_counters import Tally
from testwright.pipeline.healing.open_telemetry import count, is_wanted, send


def measured(reader: InMemoryMetricReader) -> Iterator[tuple[str, object, float]]:
    data = reader.get_metrics_data()
    assert data is not None
    for resource in data.resource_metrics:
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                for point in metric.data.data_points:
                    yield metric.name, dict(point.attributes or {}), point.value  # type: ignore[union-attr]  # counters have a value


def test_every_counter_is_exported_under_its_name_and_module() -> None:
    reader = InMemoryMetricReader()
    tally = Tally()
    tally.attempt("web")
    tally.success("web", Strategy.BY_ROLE)
    tally.attempt("admin")
    tally.ambiguous("admin")
    tally.attempt("admin")
    tally.miss("admin")

    count(tally.values(), MeterProvider([reader]))

    assert sorted(measured(reader), key=str) == [
        ("kt_auto_heal_ambiguous", {"module": "admin"}, 1),
        ("kt_auto_heal_attempts", {"module": "admin"}, 2),
        ("kt_auto_heal_attempts", {"module": "web"}, 1),
        ("kt_auto_heal_miss", {"module": "admin"}, 1),
        ("kt_auto_heal_strategy_2", {"module": "web"}, 1),
        ("kt_auto_heal_success", {"module": "web"}, 1),
    ]


@pytest.mark.parametrize(
    ("env", "wanted"),
    [
        ({}, False),
        ({"OTEL_SERVICE_NAME": "shop"}, False),
        ({"OTEL_METRICS_EXPORTER": "console"}, True),
        ({"OTEL_METRICS_EXPORTER": "none"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector.example:4317"}, True),
        ({"OTEL_METRICS_EXPORTER": "console", "OTEL_SDK_DISABLED": "true"}, False),
    ],
)
def test_the_environment_decides(env: dict[str, str], wanted: bool) -> None:
    assert is_wanted(env) is wanted


def test_the_console_exporter_keeps_out_of_our_own_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert send([CounterValue("kt_auto_heal_attempts", "web", 2.0)], {"OTEL_METRICS_EXPORTER": "console"}) == ""

    said = capsys.readouterr()
    assert said.out == ""
    assert "kt_auto_heal_attempts" in said.err


def test_an_exporter_that_is_not_installed_is_told_in_words() -> None:
    assert "no exporter 'carrier-pigeon'" in send([], {"OTEL_METRICS_EXPORTER": "carrier-pigeon"})
