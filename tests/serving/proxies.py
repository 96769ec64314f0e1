"""nginx in front of several replicas, with the configuration of deploy/."""

import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.paths import ROOT

MISSING = "no nginx: apt-get install nginx-light"
FRAME = """
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/errors warn;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {content}
}}
"""


def is_installed() -> bool:
    return program() is not None


def program() -> str | None:
    return shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")


@contextmanager
def proxy(replicas: Sequence[str]) -> Iterator[str]:
    """The URL of a proxy in front of replicas, each HOST:PORT."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    content = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    _, options = re.findall(r"server (seminar-1:8642)(.*;)", content)[0]
    content = re.sub(r"( *server seminar-\d.*;\n)+", "SERVERS\n", content)
    servers = "\n".join(f"server {one}{options}" for one in replicas)
    content = content.replace("SERVERS", servers).replace("listen 8080;", f"listen {port};")
    with tempfile.TemporaryDirectory(prefix="nginx-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)  # its workers have no rights
        file = folder / "nginx.conf"
        file.write_text(FRAME.format(folder=folder, content=content), encoding="utf-8")
        command = [str(program()), "-c", str(file), "-e", str(folder / "errors")]
        with subprocess.Popen(command) as process:
            try:
                _wait_for(port, process)
                yield f"http://127.0.0.1:{port}"
            finally:
                process.terminate()


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 20
    while process.poll() is None and time.monotonic() < deadline:
        with socket.socket() as trying:
            if trying.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise AssertionError("nginx did not start")
