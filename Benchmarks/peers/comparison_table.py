"""The table of a comparison."""

import math
import statistics

# The documents of the project's performance goal, which is about their geometric mean.
AIMED_AT = ["twitter.json", "citm_catalog.json", "canada.json", "github_events.json", "payload_7944.json"]


class Cell:
    """The samples of one program on one document: seconds a conversion, in the order of the rounds."""

    def __init__(self, document, size, task, program, seconds):
        self.document = document
        self.size = size
        self.task = task
        self.program = program
        self.seconds = seconds

    @property
    def megabytes_per_second(self):
        return self.size / statistics.median(self.seconds) / 1e6

    def speed_of(self, other):
        """How many times as fast the other program is as this one: the median over the rounds."""
        return statistics.median(mine / others for mine, others in zip(self.seconds, other.seconds))


def text_of(cells):
    names = list(dict.fromkeys(cell.program for cell in cells))
    ours, *peers = names
    lines = [["task", "document", ours] + [title for peer in peers for title in (peer, "×")]]
    for task in dict.fromkeys(cell.task for cell in cells):
        ratios = {peer: {} for peer in peers}
        for document in dict.fromkeys(cell.document for cell in cells if cell.task == task):
            row = {cell.program: cell for cell in cells if cell.task == task and cell.document == document}
            line = [task, document, shown(row[ours].megabytes_per_second)]
            for peer in peers:
                if peer in row:
                    ratios[peer][document] = row[peer].speed_of(row[ours])
                    line += [shown(row[peer].megabytes_per_second), shown(ratios[peer][document])]
                else:
                    line += ["-", "-"]
            lines.append(line)
        lines += mean_lines(task, ratios)
    return aligned(lines)


def pivoted(cells):
    """A line for each document and kind of document, a column for each spelling: how many times as fast convert is as each peer."""
    ours, *peers = dict.fromkeys(cell.program for cell in cells)
    found = {(cell.task, cell.program, cell.document): cell for cell in cells}
    documents = list(dict.fromkeys(cell.document for cell in cells))
    spellings = list(dict.fromkeys(name.split(".")[1] for name in documents if name.count(".") == 2))
    blocks = []
    for task in dict.fromkeys(cell.task for cell in cells):
        for peer in peers:
            ratios = {
                name: found[task, peer, name].speed_of(found[task, ours, name])
                for name in documents
                if (task, peer, name) in found
            }
            if not ratios:
                continue
            lines = [[f"{task} × {peer}", "MB/s", *spellings]]
            for stem in dict.fromkeys(name.split(".")[0] for name in documents):
                plain = next(name for name in documents if name.split(".")[0] == stem)
                speed = shown(found[task, ours, plain].megabytes_per_second)
                names = [f"{stem}.{spelling}" for spelling in spellings]
                of_stem = {name.rsplit(".", 1)[0]: ratio for name, ratio in ratios.items() if name.split(".")[0] == stem}
                row = [shown(of_stem[name]) if name in of_stem else "-" for name in names]
                if stem in of_stem:
                    row = [shown(of_stem[stem])] + [""] * (len(spellings) - 1)
                lines.append([stem, speed, *row])
            mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
            least = min(ratios, key=ratios.get)
            summary = f"geometric mean {shown(mean)}, least {shown(ratios[least])} ({least})"
            blocks.append(aligned(lines, 1) + "\n" + summary)
    return "\n\n".join(blocks)


def mean_lines(task, ratios):
    """The geometric means and the least ratios, over the documents of the goal if all are there, or else over all documents."""
    documents = list(dict.fromkeys(document for of_peer in ratios.values() for document in of_peer))
    chosen = AIMED_AT if set(AIMED_AT) <= set(documents) else documents
    label = "the five" if chosen is AIMED_AT else "all"
    mean, least = [task, f"geometric mean of {label}", ""], [task, f"least of {label}", ""]
    for of_peer in ratios.values():
        values = [of_peer[document] for document in chosen if document in of_peer]
        mean += ["", shown(math.exp(statistics.fmean(map(math.log, values)))) if values else "-"]
        least += ["", shown(min(values)) if values else "-"]
    return [mean, least]


def shown(number):
    return f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:.0f}"


def aligned(lines, names=2):
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            text.ljust(width) if column < names else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    )
