"""Models by role, as a user names them: those that write, that judge, and that stand behind a live user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from callwright.app.requests import Asking, LiveUserModels, SynthesisRequest
from callwright.author.online_voice import OnlineVoice
from callwright.author.prompts import Prompts
from callwright.errors import BadInput, BadOption
from callwright.judge.asking import ROLE as JUDGE_ROLE
from callwright.judge.rubric import Rubric, find_rubrics
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.endpoint import Endpoint, is_served
from callwright.models.keys import ApiKey
from callwright.models.openai import ServedModel
from callwright.models.retries import Patience
from callwright.models.structured import Learned
from callwright.papers.registry import read_prompts
from callwright.protocol import EvaluationProtocol
from callwright.protocol.live_user import Election, LivePlay, LiveSteps
from callwright.recipe import Recipe, with_native_calls
from callwright.recipe.critics import check_critics
from callwright.recipe.panels import JudgedStage, each_alone
from callwright.records.jsontext import Json

AUTHOR_ROLE: Final = "author"

_MOST: Final = 16
"""Most samples or voters of one turn of a live user."""


# -- the author of a synthesis ---------------------------------------------------------------------------------------


AssistantCalling = Literal["object", "native"]


def called_recipe(recipe: Recipe, calling: Json) -> Recipe:
    """Return the recipe as it is made where the assistant calls in this way; anything but `native` is as usual.

    Raises BadInput where it cannot.
    """
    return with_native_calls(recipe) if calling == "native" else recipe


class Author(msgspec.Struct, frozen=True):
    """The models that write and play the roles of a recipe, and the prompts they are asked with."""

    endpoint: Endpoint
    """Of the author itself."""
    cast: Mapping[str, Endpoint]
    """Of each role that agents play; empty where the recipe has none."""
    prompts: Prompts
    asking: Asking
    calling: AssistantCalling = "object"
    """How the assistant calls."""

    @property
    def models(self) -> dict[str, ServedModel]:
        """The models by role, ready to be asked."""
        learned = Learned()
        return {
            role: ServedModel(
                endpoint,
                key=ApiKey.from_environment(endpoint),
                role=role,
                decoding=self.asking.decoding,
                patience=self.asking.patience,
                learned=learned,
            )
            for role, endpoint in {AUTHOR_ROLE: self.endpoint, **self.cast}.items()
        }

    @property
    def names(self) -> dict[str, str]:
        """Full names of the models by role."""
        return {role: endpoint.name for role, endpoint in {AUTHOR_ROLE: self.endpoint, **self.cast}.items()}


def read_author(request: SynthesisRequest, recipe: Recipe) -> Author | None:
    """Return who writes. Raises BadInput for a name that is no served model's, and for what would change nothing."""
    name, asking, calling = request.author, request.asking, _calling(request.calling)
    given = {role: getattr(request, role) for role in ("user", "assistant") if getattr(request, role) is not None}
    if name is None:
        if given:
            raise BadInput(f"a model for the {next(iter(given))} needs an author. Name one: author openai/NAME.")
        if request.calling is not None:
            raise BadInput("calling says how a model calls, and needs an author. Name one: author openai/NAME.")
        is_for_judge = asking.base_url is None or request.judge is not None
        if request.prompts is not None or asking.decoding != AS_SERVED or not is_for_judge:
            raise BadInput("a base URL, prompts and decoding settings need a model. Name the author: openai/NAME.")
        return None
    if not recipe.prompts:
        raise BadInput(f"the recipe {recipe.name} asks no author: all its text is made offline. Leave the author out.")
    roles = recipe.agents.roles if recipe.agents else ()
    if unplayed := next((role for role in given if role not in roles), None):
        raise BadInput(f"in {recipe.name} no model plays the {unplayed}. Leave it out.")
    judged = recipe.panels.option if recipe.panels and request.judge and request.criteria is None else ""
    refuses = [name for name in recipe.agents.refuses if name != judged] if recipe.agents else []
    refused = [name for name in refuses if request.options.get(name)]
    if refused:
        raise BadInput(f"{recipe.name} with an author has no {refused[0]}: only rules plan it. Leave one of them out.")
    cast = {role: asking.endpoint(_writer(given.get(role, name), role)) for role in roles}
    endpoint = asking.endpoint(_writer(name, AUTHOR_ROLE))
    return Author(endpoint, cast, read_prompts(request.prompts), asking, calling)


def _calling(given: str | None) -> AssistantCalling:
    """Raises BadOption for ways of calling that only a model under test has."""
    named: dict[str, AssistantCalling] = {"object": "object", "native": "native"}
    if given is not None and given not in named:
        raise BadOption(
            f"calling {given!r:.60}: an assistant of synth calls by `native` tools, or in the `object` that it replies "
            "with. Give one of these; `eval` has the others."
        )
    return named[given or "object"]


def _writer(name: str, role: str) -> str:
    """Raises BadInput for a model that cannot write."""
    if not is_served(name):
        raise BadInput(
            f"{role} {name!r}: this model cannot write. "
            "Give openai/NAME or local/PATH.gguf, or leave it out to write offline."
        )
    return name


# -- judges ----------------------------------------------------------------------------------------------------------


def served_writer(name: str, asking: Asking) -> ServedModel:
    """Return the author of this name, ready to be asked. Raises BadInput for names of no served model."""
    endpoint = asking.endpoint(_writer(name, AUTHOR_ROLE))
    return ServedModel(
        endpoint,
        key=ApiKey.from_environment(endpoint),
        role=AUTHOR_ROLE,
        decoding=asking.decoding,
        patience=asking.patience,
        learned=Learned(),
    )


class Judge(msgspec.Struct, frozen=True):
    """A model that judges."""

    endpoint: Endpoint
    key: ApiKey
    decoding: Decoding = AS_SERVED

    @property
    def name(self) -> str:
        """Full name, with its URL and with the settings that are not left to the server: other ones, another judge."""
        said = ", ".join(f"{name} {value}" for name, value in self.decoding.config.items())
        return f"{self.endpoint.name} ({said})" if said else self.endpoint.name


class Critics(msgspec.Struct, frozen=True):
    """A model that judges what the rules keep, and by which criteria."""

    judge: Judge
    rubrics: tuple[Rubric, ...]
    stages: tuple[JudgedStage, ...]


def read_judges(names: Sequence[str], *, asking: Asking, decoding: Decoding = AS_SERVED) -> tuple[Judge, ...]:
    """Return the judges of these names. Raises BadInput for none, two the same, and names of no served model."""
    found = []
    for name in names:
        if not is_served(name):
            raise BadInput(
                f"judge {name!r}: not a model that can judge. Give openai/NAME, openai/NAME@URL or local/PATH.gguf."
            )
        endpoint = asking.endpoint(name)
        found.append(Judge(endpoint, ApiKey.from_environment(endpoint), decoding))
    if not found:
        raise BadInput("no judge is given. Name one: openai/NAME.")
    named = [judge.name for judge in found]
    if twice := next((name for name in named if named.count(name) > 1), None):
        raise BadInput(f"judge {twice} is given twice. Give each judge once; --samples asks one judge several times.")
    return tuple(found)


def served_judges(judges: Sequence[Judge], patience: Patience | None) -> dict[str, ServedModel]:
    """Return the judges by name, ready to be asked."""
    learned = Learned()
    return {
        judge.name: ServedModel(
            judge.endpoint, key=judge.key, role=JUDGE_ROLE, decoding=judge.decoding, patience=patience, learned=learned
        )
        for judge in judges
    }


def read_criteria(criteria: str | Sequence[str]) -> tuple[Rubric, ...]:
    """Return the criteria of these names or files, given as a list or joined by commas. Raises BadInput."""
    names = criteria.split(",") if isinstance(criteria, str) else criteria
    return find_rubrics(tuple(name.strip() for name in names if name.strip()))


def read_critics(request: SynthesisRequest, recipe: Recipe) -> Critics | None:
    """Return who judges. Raises BadInput for what would change nothing, and for criteria that reject nothing."""
    criteria = request.criteria
    if request.judge is None:
        if criteria is not None:
            raise BadInput("criteria need a model that judges. Name the judge: openai/NAME.")
        return None
    if recipe.keeps_all and request.options.get(recipe.keeps_all):
        raise BadInput("a judge needs the cascade. Leave out the judge, or keep the cascade.")
    (found,) = read_judges([request.judge], asking=request.asking)
    if criteria is None and recipe.panels is not None:
        stages = recipe.panels.joined(request.options.get(recipe.panels.option))
        return Critics(found, find_rubrics(tuple(name for stage in stages for name in stage.criteria)), stages)
    if criteria is None and not (criteria := recipe.critics):
        raise BadInput(f"recipe {recipe.name} has no default criteria. Name the criteria, such as relevancy.")
    rubrics = read_criteria(criteria)
    check_critics(rubrics)
    return Critics(found, rubrics, (each_alone(rubrics),))


# -- the live user of an evaluation ----------------------------------------------------------------------------------


class LiveUserRole(msgspec.Struct, frozen=True):
    """The models behind the live user, and the prompts they are asked with."""

    user: str
    """Full name of the model that words its turns; empty: offline."""
    voter: str
    """Full name of the model that elects one of several wordings; empty: there is one, and no election."""
    judge: str
    """Full name of the model that reads its messages for faults; empty: rules alone do."""
    election: Election | None
    prompts: Prompts
    steps: LiveSteps

    @property
    def play(self) -> LivePlay:
        """What models do of the live user."""
        return LivePlay(hears=bool(self.user), is_judged=bool(self.judge), election=self.election)

    @property
    def voice(self) -> OnlineVoice:
        """The voice of the rollouts."""
        return OnlineVoice("user", prompts=self.prompts, roles=self.steps.roles)

    @property
    def asked(self) -> tuple[str, ...]:
        """Groups and names of the prompts that are sent."""
        return self.steps.prompts_asked(is_judged=bool(self.judge))

    @property
    def config(self) -> dict[str, Json]:
        """The settings of the user that identify a run."""
        prompts = self.prompts.digest(*self.asked)
        config: dict[str, Json] = {"user": self.user or "offline", "prompts": prompts}
        if self.election:
            config |= {"voter": self.voter, "samples": self.election.samples, "voters": self.election.voters}
        if self.judge:
            config["judge"] = self.judge
        return config


def read_live_user(protocol: EvaluationProtocol, asked: LiveUserModels, *, asking: Asking) -> LiveUserRole | None:
    """Return the models behind the live user, None where all of it is offline.

    Raises BadInput for models that no server has, numbers out of range, and for what would change nothing.
    """
    user, voter = _served(asked.user, "user", asking), _served(asked.voter, "voter", asking)
    if asked.judge is not None and not user:
        raise BadInput("a judge reads the messages of a user that a model plays. Name one: user openai/NAME.")
    if not voter and (asked.samples is not None or asked.voters is not None):
        raise BadInput("samples and voters need a model that votes. Name one: voter openai/NAME.")
    if not (user or voter):
        if asked.prompts is not None:
            raise BadInput("prompts need a model. Name one as user or voter: openai/NAME.")
        return None
    if protocol.live is None:
        raise BadInput(
            f"a user or voter has no effect in {protocol.version}: its user turns are recorded. Leave them out."
        )
    election = _election(asked) if voter else None
    judge = _served(asked.judge, "judge", asking)
    return LiveUserRole(user, voter, judge, election, read_prompts(asked.prompts), protocol.live)


def _election(asked: LiveUserModels) -> Election:
    given = {"samples": asked.samples, "voters": asked.voters}
    election = Election(**{name: number for name, number in given.items() if number is not None})
    for name, number, least in (("samples", election.samples, 2), ("voters", election.voters, 1)):
        if not least <= number <= _MOST:
            raise BadInput(f"{name} is {number}; give {least} to {_MOST}.")
    return election


def _served(name: str | None, role: str, asking: Asking) -> str:
    if name is None:
        return ""
    if not is_served(name):
        raise BadInput(
            f"{role} {name!r}: unknown model. "
            "Give openai/NAME or local/PATH.gguf, or leave it out: then rules take its place."
        )
    return asking.endpoint(name).name
