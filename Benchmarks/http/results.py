"""The table of a comparison of servers."""

import statistics


class Cell:
    """The samples of one server with one task and body, in the order of the rounds."""

    def __init__(self, task, body, file, server):
        self.task = task
        self.body = body
        self.file = file
        self.server = server
        self.samples = []

    def rates(self):
        """Requests per second, for each round."""
        return [sample["requests"] / sample["microseconds"] * 1e6 for sample in self.samples]

    def median(self, name):
        return statistics.median(sample[name] for sample in self.samples)

    def speed_of(self, other):
        """The other server's requests per second divided by this one's: the median over the rounds."""
        return statistics.median(theirs / mine for mine, theirs in zip(self.rates(), other.rates()))

    def costs(self):
        """Microseconds of processor time per request, for each round."""
        return [sample["processor_microseconds"] / sample["requests"] for sample in self.samples]

    def cheapness_of(self, other):
        """This server's processor time per request divided by the other's: the median over the rounds."""
        return statistics.median(mine / theirs for mine, theirs in zip(self.costs(), other.costs()) if theirs > 0)

    def summary(self):
        return {"task": self.task, "body": self.body, "server": self.server.name, "samples": self.samples}


def text_of(cells):
    lines = [["task", "body", "server", "requests/s", "least", "most", "p50 ms", "p99 ms", "× best peer", "CPU µs", "× CPU"]]
    measured = [cell for cell in cells if cell.samples]
    for cell in measured:
        peers = [
            other for other in measured
            if (other.task, other.body) == (cell.task, cell.body) and not is_ours(other)]
        best = max(peers, key=lambda peer: statistics.median(peer.rates()), default=None)
        cheapest = min(peers, key=lambda peer: statistics.median(peer.costs()), default=None)
        ratio = f"{best.speed_of(cell):.2f}" if best and is_ours(cell) else "-"
        less = f"{cheapest.cheapness_of(cell):.2f}" if cheapest and is_ours(cell) else "-"
        rates = cell.rates()
        lines.append([
            "minify" if cell.task == "echo" and "camel" in cell.server.paths and is_ours(cell) else cell.task, cell.body, cell.server.name,
            f"{statistics.median(rates):,.0f}", f"{min(rates):,.0f}", f"{max(rates):,.0f}",
            f"{cell.median('p50') / 1000:.2f}", f"{cell.median('p99') / 1000:.2f}", ratio,
            f"{statistics.median(cell.costs()):.1f}", less])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if column < 3 else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    ) + "\n"


def is_ours(cell):
    return cell.server.name.startswith("convert")
