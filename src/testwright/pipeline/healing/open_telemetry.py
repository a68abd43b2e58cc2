"""Counters for OpenTelemetry, when its SDK is installed and the environment says where metrics go."""

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from testwright.model.result import CounterValue

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.sdk.metrics import MeterProvider as SdkMeterProvider

_SECONDS = 5.0  # a collector that does not answer must not hold up a run for longer


def is_wanted(env: Mapping[str, str]) -> bool:
    """Whether the environment asks for metrics. Costs nothing where it does not."""
    if env.get("OTEL_SDK_DISABLED", "").lower() == "true" or env.get("OTEL_METRICS_EXPORTER") == "none":
        return False
    named = ("OTEL_METRICS_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT")
    return any(env.get(name) for name in named)


def send(counters: Iterable[CounterValue], env: Mapping[str, str]) -> str:
    """Send the counters where the environment says. What kept them from being sent, in words; empty: nothing did."""
    name = env.get("OTEL_METRICS_EXPORTER") or "otlp"
    try:
        provider = _provider(name, env)
    except ImportError:
        return "OpenTelemetry is asked for by the environment, but its SDK is not installed: testwright[telemetry]."
    except Exception as error:  # noqa: BLE001  an exporter is a stranger's code, and no reason to spoil a run
        return f"OpenTelemetry's exporter {name!r} could not be made: {error}"
    if provider is None:
        return f"OpenTelemetry has no exporter {name!r} here; install the package that brings it."
    count(counters, provider)
    delivered = provider.force_flush(_SECONDS * 1000)
    provider.shutdown(_SECONDS * 1000)
    return "" if delivered else "The counters could not be sent to the OpenTelemetry collector."


def count(counters: Iterable[CounterValue], provider: "MeterProvider") -> None:
    """Add the counters to a provider's."""
    meter = provider.get_meter("testwright")
    for counter in counters:
        meter.create_counter(counter.name).add(counter.value, {"module": counter.module})


def _provider(name: str, env: Mapping[str, str]) -> "SdkMeterProvider | None":
    # late: extra: telemetry
    from importlib.metadata import entry_points

    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import ConsoleMetricExporter, MetricExporter, PeriodicExportingMetricReader

    exporter: MetricExporter
    if name == "console":
        exporter = ConsoleMetricExporter(out=sys.stderr)  # our own output may be JSON for a program
    else:
        # `otlp` means gRPC or HTTP, as the protocol says.
        protocol = env.get("OTEL_EXPORTER_OTLP_METRICS_PROTOCOL") or env.get("OTEL_EXPORTER_OTLP_PROTOCOL") or "grpc"
        wanted = {"otlp": "otlp_proto_grpc" if protocol == "grpc" else "otlp_proto_http"}.get(name, name)
        found = list(entry_points(group="opentelemetry_metrics_exporter", name=wanted))
        if not found:
            return None
        exporter = found[0].load()()
    reader = PeriodicExportingMetricReader(exporter, export_interval_millis=float("inf"))
    return MeterProvider(metric_readers=[reader], shutdown_on_exit=False)
