#!/usr/bin/env python3
"""Checks the Compose file without Docker: its services, mounts and addresses agree with the files and the configuration beside it."""

import json
import pathlib
import sys

import yaml

KNOWN = {
    "image", "ports", "read_only", "cap_drop", "security_opt", "volumes", "stop_grace_period", "mem_limit", "depends_on",
    "restart", "command", "user", "environment", "healthcheck", "init", "logging",
}


def problems(directory: pathlib.Path):
    services = yaml.safe_load((directory / "compose.yaml").read_text())["services"]
    for name, service in services.items():
        yield from (f"{name}: unknown key {key}" for key in service.keys() - KNOWN)
        yield from (f"{name}: depends on {other}, which is not a service" for other in service.get("depends_on", []) if other not in services)
        for volume in service.get("volumes", []):
            source, target, mode = volume.split(":")
            if not (directory / source).is_dir():
                yield f"{name}: {source} does not exist"
            if mode != "ro" or not target.startswith("/"):
                yield f"{name}: {volume} is not a read-only mount"
    configuration = json.loads((directory / "convert" / "convert.json").read_text())
    published = {port.split(":")[-1] for port in services["convert"]["ports"]}
    if configuration["listen"].split(":")[-1] not in published:
        yield f"the port of {configuration['listen']} is not published"
    for name, upstream in configuration["upstreams"].items():
        servers = upstream["servers"] if isinstance(upstream["servers"], list) else [upstream["servers"]]
        for server in servers:
            host, port = server.removeprefix("http://").split(":")
            if port not in services.get(host, {}).get("command", []):
                yield f"upstream {name}: no service listens at {server}"


found = list(problems(pathlib.Path(sys.argv[1])))
print("\n".join(found) or "ok")
sys.exit(1 if found else 0)
