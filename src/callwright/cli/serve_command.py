"""`callwright serve`: a builtin model behind the chat-completions protocol."""

from __future__ import annotations

from socket import gaierror
from typing import Any

import click

from callwright.cli import printable
from callwright.errors import BadInput


@click.command("serve")
@click.argument("model")
@click.option("--port", type=click.IntRange(0, 65535), default=8123, show_default=True, help="0 takes a free port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--latency-ms", type=click.FloatRange(0, 600_000), default=0, help="Wait before each reply.")
@click.option("--fault-rate", type=click.FloatRange(0, 1), help="Share of requests with a fault.")
@click.option("--faults", help="Which faults, such as `stall,slow=0.1`.  [default: all]")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of faults and of wording.")
@click.option("--stall-s", type=click.FloatRange(0, 3_600), default=30, show_default=True, help="Length of a stall.")
@click.option("--slow-s", type=click.FloatRange(0, 3_600), default=10, show_default=True, help="Length of a slow body.")
@click.option(
    "--retry-after-s", type=click.IntRange(0, 3_600), default=1, show_default=True, help="Value of Retry-After."
)
def command(
    model: str, *, port: int, host: str, seed: int, faults: str | None, fault_rate: float | None, **waits: Any
) -> None:
    """Serve MODEL (builtin/retriever, eager, abstain or author) to any client of OpenAI's protocol.

    Use it for free dry runs of a whole job, and as a faulty server on demand. builtin/author writes what the prompts of
    `callwright` ask for in set phrases, and votes and grades by chance; the others call tools. The same seed gives the
    same faults to the same requests. One line on standard output tells the address once the server is ready; `/stats`
    there counts requests, replies and faults. Ctrl-C stops it.

    \b
    Faults, named with or without a share of requests each:
      rate-limit        429
      retry-after       429 with Retry-After
      error-500         500, in the protocol's error shape
      error-503         503, the page of a proxy
      no-reply          the connection closes before a byte
      cut-before        the connection closes after the headers
      cut-during        the connection closes within the body
      stall             nothing for a time, then the reply
      stall-during      part of the body, nothing for a time, then the rest
      slow              the body trickles
      empty-body        200 and no body
      bad-json          200 and a body that is no JSON
      bad-shape         200 and JSON that is no reply
      huge              a reply of 50 MB
      empty-reply       neither text nor calls
      bad-arguments     a call's arguments are cut short
      double-arguments  a call's arguments are JSON text within JSON text

    \b
    Only where they are named, as asking again does not mend them:
      bad-key           401, which repeats the key it was sent
      wrong-model       404
      too-long          400: the context is too long
    """
    from callwright.web.delivery import Timing, read_rates
    from callwright.web.serve import Serving, is_loopback, run

    rates = read_rates(faults, fault_rate)
    timing = Timing(latency_s=waits.pop("latency_ms") / 1_000, **waits)
    serving = Serving(model=model, seed=seed, timing=timing, faults=rates)

    def tell(url: str) -> None:
        if not is_loopback(host):
            open_to = f"whoever reaches {printable(host)} can use this server; it asks for no key."
            click.echo(f"callwright: {open_to}", err=True)
        click.echo(f"Serving {serving.model} at {url}")

    try:
        counted = run(serving, host=host, port=port, on_ready=tell)
    except gaierror as error:
        raise BadInput(
            f"--host {host}: no address of this name ({error.strerror}). Give one of this machine."
        ) from error
    met = sum(counted.faults.values())
    click.echo(f"Stopped: {counted.requests:,} requests, {counted.replies:,} replies, {met:,} faults.", err=True)
