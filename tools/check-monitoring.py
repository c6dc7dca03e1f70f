"""Runs deploy/compose's gateway and backend, and checks the alert rules and the dashboard against their metrics.

Usage: check-monitoring.py PROGRAM PORT, with three free ports from PORT on. If promtool is installed, it checks more.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import yaml

deploy = pathlib.Path(__file__).resolve().parent.parent / "deploy"
program, port = sys.argv[1], int(sys.argv[2])
gateway, admin, backend = (f"127.0.0.1:{port + number}" for number in range(3))
errors = []


def get(address, **options):
    return urllib.request.urlopen(urllib.request.Request(f"http://{address}", **options), timeout=5).read().decode()


def wait_for(address):
    for _ in range(100):
        try:
            return get(address)
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{address} does not respond")


def scrape():
    """Starts the programs of compose.yaml, sends requests of each kind, and returns the metrics."""
    with tempfile.TemporaryDirectory() as directory:
        shutil.copytree(deploy / "compose/convert", directory, dirs_exist_ok=True)
        file = pathlib.Path(directory, "convert.json")
        text = file.read_text()
        for old, new in [("0.0.0.0:8080", gateway), ("0.0.0.0:8081", admin), ("shop:3000", backend)]:
            if old not in text:
                errors.append(f"compose: the configuration does not name {old}")
            text = text.replace(old, new)
        file.write_text(text)
        # No program listens on the port of this upstream, so that its requests fail.
        broken = json.loads(text)
        broken["upstreams"]["gone"] = {"servers": "http://127.0.0.1:1"}
        broken["routes"].insert(0, {"match": "/gone", "upstream": "gone"})
        file.write_text(json.dumps(broken))
        started = [
            subprocess.Popen([sys.executable, deploy / "compose/shop/app.py", *backend.split(":")], stderr=subprocess.DEVNULL),
            subprocess.Popen([program, "serve", "--config", file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL),
        ]
        try:
            wait_for(f"{backend}/")
            wait_for(f"{admin}/healthz")
            if get(f"{gateway}/orders/7") != '{"orderId":7,"createdAt":"2024-07-14T18:30:00+02:00"}':
                errors.append("compose: the response is not converted")
            response = get(f"{gateway}/orders", data=b'{"orderId": 8}', headers={"Content-Type": "application/json"})
            if response != '{"savedOrder":8}':
                errors.append(f"compose: the request is not converted: {response}")
            try:
                get(f"{gateway}/gone")
            except urllib.error.HTTPError:
                pass
            return get(f"{admin}/metrics")
        finally:
            for process in started:
                process.terminate()
                process.wait()


def expressions():
    for group in yaml.safe_load((deploy / "prometheus/alerts.yaml").read_text())["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]
    dashboard = json.loads((deploy / "grafana/dashboard.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


def check_names(metrics):
    families = set(re.findall(r"^# TYPE (\S+)", metrics, re.MULTILINE))
    labels = {"job", "instance", "le"} | set(re.findall(r'[{,](\w+)="', metrics))
    for where, expression in expressions():
        for name in re.findall(r"\b(?:convert|process)_\w+", expression):
            if name.removesuffix("_bucket") not in families:
                errors.append(f"{where}: there is no metric {name}")
        used = re.findall(r"by \(([^)]*)\)", expression)
        for label in {each.strip() for list_ in used for each in list_.split(",")} | set(re.findall(r"[{,] ?(\w+)=", expression)):
            if label not in labels:
                errors.append(f"{where}: no metric has a label {label}")


def check_with_promtool(metrics):
    if not shutil.which("promtool"):
        print("promtool is not installed; apt-get install prometheus")
        return
    for words, text in [
        (["check", "metrics"], metrics),
        (["check", "rules", deploy / "prometheus/alerts.yaml"], None),
        (["test", "rules", deploy / "prometheus/alerts-test.yaml"], None),
    ]:
        outcome = subprocess.run(["promtool", *words], input=text, capture_output=True, text=True, check=False)
        if outcome.returncode != 0:
            errors.append(f"promtool {words[0]} {words[1]}: {outcome.stdout}{outcome.stderr}")
    # Each expression of the dashboard becomes a rule for this check, with Grafana's variables filled in.
    rules = [
        {"record": f"dashboard:{number}", "expr": expression.replace("$__rate_interval", "5m").replace("$job", "convert")}
        for number, (_, expression) in enumerate(expressions())
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
        file.flush()
        outcome = subprocess.run(["promtool", "check", "rules", file.name], capture_output=True, text=True, check=False)
        if outcome.returncode != 0:
            errors.append(f"dashboard: {outcome.stdout}{outcome.stderr}")


metrics = scrape()
check_names(metrics)
check_with_promtool(metrics)
print("\n".join(errors), end="\n" if errors else "")
sys.exit(1 if errors else 0)
