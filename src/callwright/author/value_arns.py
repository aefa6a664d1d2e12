"""Amazon resource names (ARN), by which documents of clouds identify: `arn:aws:SERVICE:REGION:ACCOUNT:SORT/NAME`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from callwright.author.value_scene import Scene
from callwright.lang.patterns import Alternation, draw_from, is_match

_SERVICES = {
    "role": "iam", "policy": "iam", "user": "iam", "group": "iam", "key": "kms", "function": "lambda", "topic": "sns",
    "queue": "sqs", "certificate": "acm", "secret": "secretsmanager", "stream": "kinesis", "cluster": "ecs",
    "table": "dynamodb", "instance": "ec2", "subnet": "ec2", "repository": "ecr", "alarm": "cloudwatch",
    "log group": "logs", "security group": "ec2", "target group": "elasticloadbalancing", "bucket": "s3",
}  # fmt: skip
"""Services of the sorts of things that other services refer to."""
_WITHOUT_REGION = frozenset(("iam",))
_SERVICE = re.compile(r"aws[^:]{0,80}:([a-z][a-z0-9-]{1,30}):")
_SORT = re.compile(r":\\?/?([a-z][a-z-]{1,30})\\?[/:]")
"""Literal parts of a pattern: the service, and the sort of thing after the account."""
_REGIONS = ("eu-west-1", "us-east-1", "ap-southeast-2")
_HEX = "0123456789abcdef"


def is_arn(words: Sequence[str]) -> bool:
    """Whether the words of a name say that it holds such a resource name."""
    return tuple(words[-1:]) in (("arn",), ("arns",))


def draw_arn(scene: Scene, words: Sequence[str], thing: str, source: str) -> str:
    """Draw a resource name for a parameter of these words; `source` is its pattern, or empty."""
    told = _SERVICE.search(source)
    sorts = [sort for sort in _SORT.findall(source) if not told or sort != told[1]]
    before = [word for word in (*thing.lower().split(), *words[:-1]) if word.isalnum() and word != "resource"]
    sort = sorts[-1] if sorts else before[-1] if before else "instance"
    service = told[1] if told else _SERVICES.get(" ".join(before[-2:]), _SERVICES.get(sort, sort))
    region = "" if service in _WITHOUT_REGION else scene.rng.choice(_REGIONS)
    name = "".join(scene.rng.choice(_HEX) for _ in range(12))
    return f"arn:aws:{service}:{region}:{_account(scene)}:{sort}/{name}"


def _account(scene: Scene) -> str:
    return "".join(scene.rng.choice("123456789") for _ in range(12))


def arn_of_pattern(scene: Scene, arn: str, pattern: Alternation) -> str:
    """Return a resource name in the first way of writing it that keeps to a pattern, else a text of the pattern."""
    head, mark, name = arn.rpartition("/")
    region, account = scene.rng.choice(_REGIONS), _account(scene)
    whole = f"{name[:8]}-{name[8:]}-{name[:4]}-{name[4:8]}-{name}"
    ways = [arn, f"{head}{mark}{whole}", f"{head}:{name}", arn.replace("::", f":{region}:", 1)]
    drawn = draw_from(pattern, scene.rng)
    parts = drawn.split(":", 5)
    if len(parts) > _ACCOUNT:  # in place of letters drawn by chance
        ways.append(":".join(("arn", "aws", parts[2], region, account, *parts[5:])))
        ways.append(":".join(("arn", "aws", *parts[2:])))
    return next((one for one in ways if is_match(pattern, one)), drawn)


_ACCOUNT = 4
