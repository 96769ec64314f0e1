"""Open files or an index, and assemble the assistant that answers from them.

The only module that names an engine: everything else takes a `FileIndex`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from seminar.assistant import Assistant
from seminar.errors import ConfigurationError
from seminar.file_batches import Reading, Watch
from seminar.index_url import IndexUrl, Place
from seminar.indexing import Outcome, update
from seminar.ingestion.discover import Problem, discover
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.ingestion.selection import EVERYTHING, Selection
from seminar.models.encoders.registry import AUTO, ENCODERS, load_encoder
from seminar.protocols import Encoder
from seminar.retrieval.contents import IndexContents
from seminar.retrieval.engines.registry import engine_of
from seminar.retrieval.file_index import FileIndex, Repair
from seminar.retrieval.scopes import find_scope
from seminar.settings import Settings, home
from seminar.stages import build_assistant, build_retriever

IDENTITY = "4"  # of the names of folders; older indexes are brought to the present format
SMALL_COLLECTION = 1_500_000  # bytes; `minilm` encodes some 110 passages of 700 bytes a second


@dataclass(frozen=True, slots=True)
class Opened:
    """An assistant, the index it answers from, and the files that could not be read.

    `files` has the path of each source; it is empty for an index, which knows only their names.
    `withheld` are files that seem deleted and still answer, until `forget` confirms it.
    """

    assistant: Assistant
    index: FileIndex
    encoder: Encoder
    settings: Settings
    problems: tuple[Problem, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    withheld: tuple[str, ...] = ()

    @property
    def sources(self) -> list[str]:
        """Files with indexed passages."""
        return IndexContents(self.index).sources()

    def within(self, scope: str) -> Opened:
        """The same index searched within a scope; an empty scope means everything."""
        settings = replace(self.settings, scope=scope)
        return _opened(self.index, self.encoder, settings, self.problems, self.files)


def is_index(place: Place) -> bool:
    """Whether there is an index: in the folder of a path, or at a URL."""
    return engine_of(place).exists(place)


def create_index(place: Place, encoder: Encoder) -> FileIndex:
    """Open an index, creating it first where there is none."""
    engine = engine_of(place)
    return engine.create(place, encoder=encoder.name, dimensions=encoder.dimensions)


def open_index(place: Place, encoder: Encoder | None = None) -> FileIndex:
    """Open an existing index; an encoder that did not make it is refused."""
    engine = engine_of(place)
    made = engine.describe(place)
    name, dimensions = made.encoder, made.dimensions
    if encoder is not None:
        name, dimensions = encoder.name, encoder.dimensions
    return engine.open(place, encoder=name, dimensions=dimensions)


def verify_index(place: Place) -> list[str]:
    """What is wrong with an index, a line each; everything in it is looked at."""
    return engine_of(place).verify(place)


def repair_index(place: Place) -> Repair:
    """Rebuild an index from what is intact of it; what is lost is read again by the next update."""
    return engine_of(place).repair(place, lambda name: load_encoder(_trusted(name, place)))


def open_files(
    paths: Sequence[Place],
    settings: Settings | None = None,
    *,
    selection: Selection = EVERYTHING,
    forget: bool = False,
    watch: Watch = lambda _: None,
) -> Opened:
    """Open an assistant over files and folders, indexing what changed, or over an index."""
    settings = settings or Settings()
    indexes = [path for path in paths if isinstance(path, IndexUrl) or is_index(path)]
    if indexes and len(paths) > 1:
        raise ConfigurationError(
            f"{indexes[0]} is an index, which is asked by itself: name it alone, "
            "or name the files that it was made of beside the other paths"
        )
    if indexes:
        encoder = load_encoder(encoder_of(indexes[0], settings.encoder))
        return _opened(open_index(indexes[0], encoder), encoder, settings)
    files = [path for path in paths if isinstance(path, Path)]
    encoder = load_encoder(choose_encoder(settings.encoder, files, selection=selection))
    folder = index_folder(files, encoder.name, selection)
    index, outcome = index_files(
        files,
        folder,
        encoder,
        options=settings.reading,
        selection=selection,
        forget=forget,
        watch=watch,
    )
    opened = _opened(index, encoder, settings, outcome.problems, outcome.files)
    return replace(opened, withheld=outcome.withheld)


def encoder_of(place: Place, named: str = "") -> str:
    """The encoder that made an index, if it is one of Seminar's or the one that the user named.

    Somebody else's index could name any model on this machine.
    """
    return _trusted(engine_of(place).describe(place).encoder, place, named)


def _trusted(encoder: str, place: Place, named: str = "") -> str:
    if encoder in ENCODERS or (named and str(Path(named).resolve()) == encoder):
        return encoder
    raise ConfigurationError(
        f"the index in {place} was made with the encoder {encoder!a}, which is not one of "
        f"Seminar's ({', '.join(sorted(ENCODERS))}). If it is yours: --encoder {encoder!a}"
    )


def choose_encoder(
    name: str,
    paths: Sequence[Path],
    index: Place | None = None,
    *,
    selection: Selection = EVERYTHING,
) -> str:
    """The encoder of that name; `auto` is that of an existing index, else one by size.

    Small collections get `minilm`, which finds more and takes up to some 20 seconds for them;
    larger ones get `static`.
    """
    if name != AUTO:
        return name
    if index is not None and is_index(index) and not engine_of(index).is_outdated(index):
        return encoder_of(index)
    return "minilm" if _bytes(paths, selection) <= SMALL_COLLECTION else "static"


def _bytes(paths: Sequence[Path], selection: Selection) -> int:
    files, _ = discover(paths, selection=selection)
    return sum(path.stat().st_size for file in files for path in file.files if path.is_file())


def _opened(
    index: FileIndex,
    encoder: Encoder,
    settings: Settings,
    problems: tuple[Problem, ...] = (),
    files: Mapping[str, Path] | None = None,
) -> Opened:
    if settings.scope:
        settings = replace(settings, scope=find_scope(settings.scope, index.scopes()))
    assistant = assemble(index, encoder, settings)
    return Opened(assistant, index, encoder, settings, problems, files or {})


def assemble(index: FileIndex, encoder: Encoder, settings: Settings) -> Assistant:
    """The assistant that the settings describe, over an index."""
    retriever = build_retriever(index, encoder, scope=settings.scope)
    return build_assistant(
        retriever,
        settings,
        contents=IndexContents(index, settings.scope),
    )


def index_files(
    paths: Sequence[Path],
    place: Place,
    encoder: Encoder,
    *,
    options: ReadOptions = DEFAULT_READING,
    selection: Selection = EVERYTHING,
    forget: bool = False,
    watch: Watch = lambda _: None,
    timeout: float = 10.0,
    reading: Reading | None = None,
) -> tuple[FileIndex, Outcome]:
    """Build or update an index, waiting so long for another process that writes it."""
    index = create_index(place, encoder)
    outcome = update(
        index,
        paths,
        encoder,
        options=options,
        selection=selection,
        forget=forget,
        watch=watch,
        timeout=timeout,
        reading=reading,
    )
    return index, outcome


def index_folder(paths: Sequence[Path], encoder: str, selection: Selection = EVERYTHING) -> Path:
    """The folder for the index of these paths: the same whatever their order."""
    places = sorted(str(path.resolve()) for path in paths)
    selected = [] if selection == EVERYTHING else [repr(selection)]
    identity = "\0".join([IDENTITY, encoder, *places, *selected])
    digest = hashlib.blake2b(identity.encode(errors="surrogateescape"), digest_size=8).hexdigest()
    name = "".join(c if c.isalnum() else "-" for c in Path(places[0]).name)[:40]
    return home() / "indexes" / f"{name}-{digest}"
