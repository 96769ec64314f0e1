"""Suffixes of files that are no documents, or are read only where nothing else tells more."""

from __future__ import annotations

# Read as code, with docstrings and comments as prose.
SOURCE_CODE = tuple(
    """
    .py .pyi .pyx .js .mjs .cjs .jsx .ts .tsx .java .kt .kts .scala .go .rs .c .h .cc .cpp .cxx .hh
    .hpp .cs .swift .m .mm .rb .php .pl .pm .lua .r .jl .sh .bash .zsh .fish .ps1 .sql .hs .ml .mli
    .clj .cljs .ex .exs .erl .dart .groovy .gradle .f90 .f95 .asm .el .lisp .scm .tcl .vim .css
    .scss .less .proto .graphql .tf .zig .nim .sol
    """.split()
)
# Read as key paths.
SETTINGS = (".json", ".yaml", ".yml", ".toml")
CODE = frozenset((*SOURCE_CODE, *SETTINGS))
# Binary or XML formats without a reader that is kept up, and what programs save instead.
SAVE_AS = {
    ".doc": ".docx", ".dot": ".docx", ".wpd": ".docx", ".wps": ".docx", ".pages": ".docx",
    ".xls": ".xlsx", ".xlt": ".xlsx", ".xlsb": ".xlsx", ".numbers": ".xlsx",
    ".ppt": ".pptx", ".pps": ".pptx", ".key": ".pptx",
    ".fodt": ".odt", ".fods": ".ods", ".fodp": ".odp", ".sxw": ".odt", ".sxc": ".ods",
    ".mobi": ".epub", ".azw": ".epub", ".azw3": ".epub",
    ".djvu": ".pdf", ".odg": ".pdf", ".ps": ".pdf", ".xps": ".pdf",
}  # fmt: skip
# Common beside documents, but never documents: counted, without a line each.
NOT_DOCUMENTS = frozenset(
    """
    .css .scss .less .map .wasm .lock .ini .cfg
    .png .jpg .jpeg .gif .webp .svg .ico .bmp .tif .tiff .avif .heic .psd .woff .woff2 .ttf .otf
    .eot .mp3 .mp4 .m4a .wav .ogg .flac .webm .mov .avi .mkv .7z .rar .zst .jar
    .whl .exe .dll .so .dylib .a .o .class .pyc .pyo .bin .dat .db .sqlite .parquet .arrow .npy
    .npz .pkl .pt .onnx .safetensors .iso .dmg .deb .rpm .sig .asc .torrent
    """.split()
)
