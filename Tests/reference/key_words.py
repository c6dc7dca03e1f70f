"""The case rule for keys: splits a key into words and joins them again (profile.md, "keys")."""

import re
import unicodedata

UUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
WHITE_SPACE = set("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(c) for c in range(0x2000, 0x200B)}

SEPARATORS = {
    "snake_case": "_", "SCREAMING_SNAKE_CASE": "_", "kebab-case": "-", "Train-Case": "-",
    "dot.case": ".", "flatcase": "", "camelCase": "", "PascalCase": "",
}


def kind(scalar):
    """U capital, L lower case, O other letter, D digit, M mark, S separator, X the rest."""
    if scalar in "_-." or scalar in WHITE_SPACE:
        return "S"
    category = unicodedata.category(scalar)
    if category in ("Lu", "Lt"):
        return "U"
    if category == "Ll":
        return "L"
    return {"L": "O", "N": "D", "M": "M"}.get(category[0], "X")


def kinds_of(text):
    """The kind of each scalar; a mark outside a word gets the kind of the scalar to which it belongs."""
    kinds = []
    for scalar in text:
        found = kind(scalar)
        if found == "M" and (not kinds or kinds[-1] in "SX"):
            found = kinds[-1] if kinds else "X"
        kinds.append(found)
    return kinds


class CaseRule:
    """One `keys` section in the forward direction."""

    def __init__(self, target, acronyms=(), style="title", digits="join"):
        self.digits = digits
        self.target = target
        self.style = style
        spellings = {}
        for acronym in acronyms:
            spellings[acronym] = acronym
            spellings.setdefault(acronym.upper(), acronym)
        self.wholes = {}
        for acronym in acronyms:
            self.wholes.setdefault(lower(acronym), acronym)
        self.spellings = sorted(spellings.items(), key=lambda pair: -len(pair[0]))

    def converted(self, key):
        if self.target == "preserve" or any(0xD800 <= ord(scalar) <= 0xDFFF for scalar in key):
            return key
        if UUID.fullmatch(key) or not any(kind(scalar) in "ULO" for scalar in key):
            return key
        trimmed = key.strip("".join(WHITE_SPACE))
        kinds = kinds_of(trimmed)
        start = next(i for i, k in enumerate(kinds) if k not in "SX")
        end = next(i for i in range(len(kinds), 0, -1) if kinds[i - 1] not in "SX")
        if "X" in kinds[start:end]:
            return key
        words = []
        for left, right in segments(kinds, start, end):
            words.extend(self.words(trimmed[left:right], kinds[left:right]))
        return trimmed[:start] + self.join(words) + trimmed[end:]

    def words(self, segment, kinds):
        """Pairs of a word's text and, when it begins with an acronym, (spelling length, listed spelling)."""
        opens = [i for i in range(1, len(kinds)) if word_opens(kinds, i) or self.digits == "word" and digit_opens(kinds, i)]
        words = []
        start = 0
        while start < len(segment):
            acronym = self.acronym(segment, kinds, start)
            inside = start + (acronym[0] if acronym else 1)
            if acronym and inside < len(segment) and (kinds[inside] == "U" or self.spelled(segment, inside)):
                end = inside
            else:
                end = next((i for i in opens if i >= inside), len(segment))
            words.append((segment[start:end], acronym))
            start = end
        return words

    def acronym(self, segment, kinds, start):
        """(length, listed spelling with its plural s) of the longest acronym that is accepted at the start of a word, or None."""
        for spelling, listed in self.spellings:
            if not segment.startswith(spelling, start):
                continue
            end = start + len(spelling)
            if segment.startswith("s", end) and self.may_follow(segment, kinds, end + 1):
                return len(spelling) + 1, listed + "s"
            if self.may_follow(segment, kinds, end):
                return len(spelling), listed
        return None

    def may_follow(self, segment, kinds, at):
        if at == len(segment) or kinds[at] in "DO" or self.spelled(segment, at):
            return True
        return kinds[at] == "U" and not (at + 1 < len(kinds) and kinds[at + 1] == "U")

    def spelled(self, segment, at):
        return any(segment.startswith(spelling, at) for spelling, _ in self.spellings)

    def join(self, words):
        return SEPARATORS[self.target].join(self.spell(*word, first=number == 0) for number, word in enumerate(words))

    def spell(self, word, acronym, first):
        if self.target == "SCREAMING_SNAKE_CASE":
            return "".join(scalar.upper() for scalar in word)
        capitalised = self.target in ("PascalCase", "Train-Case") or (self.target == "camelCase" and not first)
        if not capitalised:
            return lower(word)
        if acronym and self.style == "asListed":
            return acronym[1] + lower(word[acronym[0]:])
        if self.style == "asListed":
            whole = lower(word)
            if whole in self.wholes:
                return self.wholes[whole]
            if whole.endswith("s") and whole[:-1] in self.wholes:
                return self.wholes[whole[:-1]] + "s"
        return word[0].title() + lower(word[1:])


def lower(text):
    """Lower-cases scalar by scalar, so that a final sigma is treated like any other sigma."""
    return "".join(scalar.lower() for scalar in text)


def segments(kinds, start, end):
    """The index pairs of the parts between runs of separators."""
    left = None
    for i in range(start, end):
        if kinds[i] == "S":
            if left is not None:
                yield left, i
            left = None
        elif left is None:
            left = i
    if left is not None:
        yield left, end


def digit_opens(kinds, i):
    before = next((k for k in reversed(kinds[:i]) if k != "M"), None)
    return kinds[i] == "D" and before is not None and before in "ULO"


def word_opens(kinds, i):
    """Whether a word begins here, by rule 5 of profile.md."""
    if kinds[i] != "U":
        return False
    before = next((k for k in reversed(kinds[:i]) if k in "UL"), None)
    after = next((k for k in kinds[i + 1:] if k != "M"), None)
    return before == "L" or after == "L"
