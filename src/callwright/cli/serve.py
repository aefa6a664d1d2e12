"""`callwright serve`: a builtin model behind the chat-completions protocol."""

from __future__ import annotations

import ipaddress

import click

from callwright.cli import printable


@click.command("serve")
@click.argument("model")
@click.option("--port", type=click.IntRange(0, 65535), default=8123, show_default=True, help="0 takes a free port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--latency-ms", type=click.FloatRange(0, 600_000), default=0, help="Wait before each reply.")
@click.option("--fault-rate", type=click.FloatRange(0, 1), help="Share of requests that meet a fault.")
@click.option("--faults", help="Which faults, such as `stall,slow=0.1`.  [default: all]")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of faults and of wording.")
@click.option("--stall-s", type=click.FloatRange(0, 3_600), default=30, show_default=True, help="Length of a stall.")
@click.option("--slow-s", type=click.FloatRange(0, 3_600), default=10, show_default=True, help="Length of a slow body.")
@click.option(
    "--retry-after-s", type=click.IntRange(0, 3_600), default=1, show_default=True, help="What `retry-after` asks."
)
def command(
    model: str,
    port: int,
    host: str,
    latency_ms: float,
    fault_rate: float | None,
    faults: str | None,
    seed: int,
    stall_s: float,
    slow_s: float,
    retry_after_s: int,
) -> None:
    """Serve MODEL (`builtin/retriever`, `eager`, `abstain`) over HTTP to any client of OpenAI's protocol.

    A dry run of a whole job for nothing, and a bad server on demand: the same seed gives the same faults to the same
    requests. One line on standard output tells the address once the server is ready; `/stats` there counts requests,
    replies and faults. Ctrl-C stops it.

    Refusals: rate-limit, retry-after (both 429), error-500, error-503. Connections: no-reply, cut-before, cut-during
    (the body), stall, stall-during, slow. Bodies: empty-body, bad-json, bad-shape, huge (50 MB). Replies: empty-reply,
    bad-arguments (cut short), double-arguments (JSON in JSON). Only where named: bad-key (401), wrong-model (404),
    too-long (400).
    """
    from callwright.web.delivery import Timing
    from callwright.web.faults import read_rates
    from callwright.web.serve import Serving, run

    rates = read_rates(faults, fault_rate)
    timing = Timing(latency_s=latency_ms / 1_000, stall_s=stall_s, slow_s=slow_s, retry_after_s=retry_after_s)
    if not _is_loopback(host):
        click.echo(f"callwright: whoever reaches {printable(host)} can use this server; it asks for no key.", err=True)
    serving = Serving(model=model if "/" in model else f"builtin/{model}", seed=seed, timing=timing, faults=rates)
    counted = run(serving, host=host, port=port, on_ready=lambda url: click.echo(f"Serving {serving.model} at {url}"))
    met = sum(counted.faults.values())
    click.echo(f"Stopped: {counted.requests:,} requests, {counted.replies:,} replies, {met:,} faults.", err=True)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
