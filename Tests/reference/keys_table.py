#!/usr/bin/env python3
"""A second implementation of the key cases, written only from the rules of the profile format.

    keys_table.py > ../Fixtures/keys/computed.json
    keys_table.py --random SEED COUNT

The first form writes the table for the tests. The second writes a table of generated keys, for a single comparison of many
more keys. This script finds words by clusters (a scalar and its marks), and the product finds them by scalars.
"""

import json
import random
import re
import sys
import unicodedata

TARGETS = ["camelCase", "PascalCase", "snake_case", "SCREAMING_SNAKE_CASE", "kebab-case", "Train-Case", "dot.case", "flatcase"]
WHITE_SPACE = set("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(c) for c in range(0x2000, 0x200B)}
UUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def category(character):
    if character in WHITE_SPACE or character in "_-.":
        return "S"
    general = unicodedata.category(character)
    if general in ("Lu", "Lt"):
        return "U"
    if general == "Ll":
        return "L"
    return {"L": "O", "N": "D", "M": "M"}.get(general[0], "X")


def clusters(text):
    """Pairs of a class and a text, which is one scalar with the marks that belong to it."""
    found = []
    for character in text:
        kind = category(character)
        if kind == "M" and found:
            found[-1][1] += character
        else:
            found.append(["X" if kind == "M" else kind, character])
    return found


class Acronyms:
    def __init__(self, listed):
        self.listed = listed
        self.forms = {}
        for acronym in listed:
            self.forms.setdefault(acronym, acronym)
        for acronym in listed:
            self.forms.setdefault("".join(c.upper() for c in acronym), acronym)
        self.longest_first = sorted(self.forms, key=len, reverse=True)

    def whole(self, word):
        """The listed spelling of a word that is an acronym in any case, or its plural; else None."""
        for plural in ("", "s"):
            for acronym in self.listed:
                if lower(acronym) + plural == lower(word):
                    return acronym + plural
        return None

    def candidates(self, segment, start):
        """(number of clusters, spelling) of each acronym form at `start`, longest first."""
        for form in self.longest_first:
            text = ""
            for count, (_, cluster) in enumerate(segment[start:], 1):
                text += cluster
                if len(text) >= len(form):
                    break
            if text == form:
                yield count, self.forms[form]

    def accepted(self, segment, start):
        for count, spelling in self.candidates(segment, start):
            end = start + count
            if end < len(segment) and segment[end][1] == "s" and self.may_end(segment, end + 1):
                return count, 1, spelling
            if self.may_end(segment, end):
                return count, 0, spelling
        return None

    def begins(self, segment, start):
        return any(True for _ in self.candidates(segment, start))

    def may_end(self, segment, end):
        if end == len(segment) or segment[end][0] in "DO" or self.begins(segment, end):
            return True
        return segment[end][0] == "U" and (end + 1 == len(segment) or segment[end + 1][0] != "U")


def opening(segment, position):
    if segment[position][0] != "U":
        return False
    if position + 1 < len(segment) and segment[position + 1][0] == "L":
        return True
    cased = [kind for kind, _ in segment[:position] if kind in "UL"]
    return cased[-1:] == ["L"]


def words(segment, acronyms):
    """Words as lists of clusters, each with its acronym: (clusters without the plural, spelling), or None."""
    found = []
    must_open = True
    position = 0
    while position < len(segment):
        if must_open or opening(segment, position):
            found.append([[], None])
            accepted = acronyms.accepted(segment, position)
            if accepted:
                count, plural, spelling = accepted
                found[-1] = [segment[position : position + count + plural], (count, spelling)]
                position += count + plural
                must_open = position < len(segment) and (
                    segment[position][0] == "U" or acronyms.begins(segment, position)
                )
                if must_open or position == len(segment):
                    continue
        found[-1][0].append(segment[position])
        must_open = False
        position += 1
    return found


def lower(text):
    return "".join(character.lower() for character in text)


def upper(text):
    return "".join(character.upper() for character in text)


def capitalised(word, style, acronyms):
    content, acronym = word
    text = "".join(text for _, text in content)
    if style == "asListed":
        if acronym:
            count, spelling = acronym
            return spelling + lower("".join(text for _, text in content[count:]))
        whole = acronyms.whole(text)
        if whole:
            return whole
    return text[0].title() + lower(text[1:])


def convert(name, target, listed=(), style="title"):
    if target == "preserve" or UUID.fullmatch(name):
        return name
    if not any(unicodedata.category(character)[0] == "L" for character in name):
        return name
    marked = clusters(name)
    core = [index for index, (kind, _) in enumerate(marked) if kind not in "SX"]
    first, last = core[0], core[-1]
    if any(kind == "X" for kind, _ in marked[first : last + 1]):
        return name
    white_space = "".join(WHITE_SPACE)
    prefix = "".join(text for _, text in marked[:first]).lstrip(white_space)
    suffix = "".join(text for _, text in marked[last + 1 :]).rstrip(white_space)
    acronyms = Acronyms(listed)
    segments, segment = [], []
    for cluster in marked[first : last + 1] + [["S", ""]]:
        if cluster[0] != "S":
            segment.append(cluster)
        elif segment:
            segments.append(segment)
            segment = []
    found = [word for segment in segments for word in words(segment, acronyms)]
    plain = ["".join(text for _, text in content) for content, _ in found]
    if target == "camelCase":
        body = lower(plain[0]) + "".join(capitalised(word, style, acronyms) for word in found[1:])
    elif target == "PascalCase":
        body = "".join(capitalised(word, style, acronyms) for word in found)
    elif target == "Train-Case":
        body = "-".join(capitalised(word, style, acronyms) for word in found)
    elif target == "SCREAMING_SNAKE_CASE":
        body = "_".join(upper(word) for word in plain)
    else:
        joint = {"snake_case": "_", "kebab-case": "-", "dot.case": ".", "flatcase": ""}[target]
        body = joint.join(lower(word) for word in plain)
    return prefix + body + suffix


NAMES = """
id name firstName first_name FirstName FIRST_NAME first-name First-Name first.name firstname first__name first_-_name
userID userId user_id USER_ID userIDs UserIDs URLs myURLs HTMLParser parseHTML parseHTMLNow XMLHttpRequest XMLHTTPRequest
myABBRKey myURLID myURLIDs IDs ID iOSApp myIOSApp IPv4Address ipv6 URL2 URL2Path url2path ID2FA my2FA
address1 address1Line addressLine1 md5Hash MD5 MD5Hash MD5HASH sha256sum SHA256Sum 99Bottles 99bottles 9a 9A key10 key10Value
key_10 key_10_value utf8 UTF8String base64Url x509Certificate H264 h264Stream v1 V1 v1Beta2 A1B2 a1B2c3 1st2nd
_id __typename $ref @type items[] #text _links -dash .dot _fooBar_ __foo_bar__ $fooBar$ foo! !foo? {fooBar} (foo_bar)
dc:title a@b.com foo/bar foo+bar a:b foo:Bar_Baz user.name@host en-GB zh_Hant_TW x-request-id X-Request-ID Content-Type
ETag eTag DNSName iPhone iPhoneX aB AB ABc AbC aBC aBCd ABCd a A aA Aa AAa aAA AaA I i
pictureURL created_at CreatedAt createdAt created.at GitHub githubURL openAPI OpenAPIs OAuth2Token oauth2_token
""".split() + [
    "first name", " first name ", "\tfoo bar\n", "\u00a0fooBar\u3000", "foo\u2003barBaz", "foo \u2028 Bar", " _id ", "$ foo", "foo $ ",
    "имяПользователя", "ИмяПользователя", "имя_пользователя", "ИМЯ_ПОЛЬЗОВАТЕЛЯ", "ИМЯПользователя", "дом2Улица",
    "όνομαΧρήστη", "ΟΔΟΣΟνομα", "οδός", "ΟΔΟΣ", "ΟΔΟΣ_ΟΔΟΣ", "ὈδυσσεύςName", "ᾳFoo", "fooᾼ", "ΐΰ",
    "straße", "straßeName", "ßfoo", "foo_ßbar", "GROẞ", "großeStraße", "übergrößenTräger", "Äpfel", "ÄPFEL", "éCole", "ecoleÉtat",
    "İstanbul", "ISTANBUL", "ıstanbul", "KALIN_DIŞ", "kalınDış", "dışİç", "İİ", "İİi",
    "ქართული", "ქართული_ენა", "ᲥᲐᲠᲗᲣᲚᲘ", "ქართულიᲔᲜა",
    "ǆungla", "ǅungla", "ǄUNGLA", "mojaǅungla", "mojaǄUNGLA", "moja_ǆungla", "ǈubav", "ǇUBAV", "ǋ", "ǳǲ", "ﬁnalName", "oﬃce_ﬂow",
    "e\u0301tat", "E\u0301tat", "monE\u0301tat", "MONE\u0301TAT", "MONE\u0301tat", "A\u0308A\u0308a", "foo\u0301Bar", "foo_\u0301bar",
    "\u0301foo", "_\u0301foo", "foo\u0301_", "fooA\u0301", "ID\u0301", "userID\u0301s", "i\u0307ID",
    "名前", "ユーザー名", "ユーザーID", "ユーザーId", "userの名前", "userの名前Text", "ID番号", "URL名Foo", "URL名FOO", "用户Name", "用户NAME", "한국어Key",
    "שםמשתמש", "اسمالمستخدم", "اسمUser", "नामKey", "ชื่อUser", "thaiชื่อName",
    "𐐨𐐩𐐪", "𐐀𐐁𐐂", "𐐨𐐩𐐀𐐨", "𐐀𐐁𐐨", "user𐐀𐐨", "𐐨_𐐩", "ªfoo", "fooªBar", "fooªB", "ʰfoo", "fooʰBar",
    "ⅧFoo", "fooⅷBar", "ⅧA", "foo½Bar", "x²Y", "٣foo", "foo٣Bar", "❤️foo", "foo❤️", "foo❤️bar", "€price", "price€", "a€b", "foo\u200dbar",
    "foo\u00adbar", "foo–bar", "foo‿bar", "«fooBar»", "¿fooBar?", "№foo", "Ⓐb",
    "", " ", "_", "123", "1_2", "12-34", "$", "❤️", "٣", "Ⅷ", " 1 ", "1 2",
    "550e8400-e29b-41d4-a716-446655440000", "550E8400-E29B-41D4-A716-446655440000", "aBcDeF00-e29b-41d4-a716-446655440000",
    "550e8400_e29b_41d4_a716_446655440000", "550e8400-e29b-41d4-a716-44665544000", "550e8400-e29b-41d4-a716-44665544000g",
    "{550e8400-e29b-41d4-a716-446655440000}", "x550e8400-e29b-41d4-a716-446655440000",
]

LISTS = [
    ["ID", "URL", "HTML", "XML", "HTTP", "API"],
    ["iOS", "IP", "IPv4", "OAuth", "MD5", "H264", "2FA", "ABBR", "GitHub"],
    ["API", "APIKey", "AP", "APIs", "ID", "IDS"],
    ["ÉTAT", "ИМЯ", "Straße", "ΟΔΟΣ", "ID", "名", "𐐀𐐁", "ǅ", "İİ"],
]

ACRONYM_NAMES = """
userID userIDs userIDS userIDx userIDX userIDXy userIDXY userIDName userIDsName userIDsNAME userIDURL userIDsURL userURLID IDURLish
ID IDs IDS Id id ids user_id USER_ID USER_IDS Ids identity IDentity userIDentity ID2 ID2A ID2Foo IDs2 userIDs2Foo URLPath URLPATH
myURLID myURLIDs XMLHTTPRequest XMLHttpRequest XMLHTTP HTMLXMLAPI HTMLXMLAPIx parseHTMLToXML _URL $URLs URL[] URL_ID URL-ids URLsIDs
iOS iOSApp myIOSApp myiOSApp IOS IOSs iosApp IPv4 IPv4s IPV4Address IPAddress IPADDRESS IPv6 ipIPv4IP OAuth2Token OAUTHToken MD5Hash
MD5HASH H264Stream myH264 my2FA 2FA 2FAs 2FACode MP2FA ABBRKey myABBRKeys GitHub GITHUB myGitHubID GitHubs GitHubApp Github
API APIs APIKey APIKEY APIKeys APIS APISet APIIDs APIIDS APAPI apiKEYAPI getAPI getAPIs getAPIsNow IDSet IDSs IDSID
""".split() + [
    "ÉTAT", "ÉTATMajor", "monÉTAT", "mon_étatÉTATs", "ИМЯПользователя", "моёИМЯ", "ИМЯИМЯ", "Straße", "STRASSE", "straße", "meineSTRASSEName",
    "meineStraßeName", "ΟΔΟΣΟνομα", "ΟΔΟΣ", "ID名", "ID名前", "ユーザーID", "名ID", "名", "ID番号", "ID\u0301", "IDE\u0301t", "IDE\u0301T",
    "IDs\u0301", "𐐀𐐁𐐂𐐨", "𐐀𐐁s", "𐐨𐐀𐐁", "ǅungla", "mojaǄ", "ǅ", "İİ", "İİx", "ID٣Foo", "IDⅧ", "ID½x",
]


def table(names, listed, style):
    rows = []
    for name in names:
        rows.append([name] + [convert(name, target, listed, style) for target in TARGETS])
    return {"acronyms": listed, "acronymStyle": style, "rows": rows}


def generated(seed, count):
    """Keys made from an alphabet with letters of every class, with equally unusual lists of acronyms."""
    source = random.Random(seed)
    alphabet = list("aabsIDXyURL019__-. $@") + ["é", "É", "\u0301", "ß", "İ", "ǅ", "ς", "名", "ʰ", "Ⅷ", "𐐀", "𐐨", "❤", "\u00a0", "ა"]
    tables = []
    for _ in range(20):
        letters = [c for c in alphabet if category(c) in "ULOD"]
        listed = ["".join(source.choices(letters, k=source.randint(1, 3))) for _ in range(source.randint(0, 6))]
        listed = list(dict.fromkeys(listed + ["ID", "URL"]))
        names = ["".join(source.choices(alphabet, k=source.randint(1, 12))) for _ in range(count // 20)]
        tables.append(table(names, listed, source.choice(["title", "asListed"])))
    return tables


def write(tables):
    print('{ "targets": ' + json.dumps(TARGETS) + ",\n  \"tables\": [")
    for number, one in enumerate(tables):
        head = json.dumps({key: one[key] for key in ("acronyms", "acronymStyle")}, ensure_ascii=False)[:-1]
        print("    " + head + ', "rows": [')
        print(",\n".join("      " + json.dumps(row, ensure_ascii=False) for row in one["rows"]))
        print("    ]}" + ("," if number + 1 < len(tables) else ""))
    print("  ]\n}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--random"]:
        write(generated(int(sys.argv[2]), int(sys.argv[3])))
    else:
        tables = [table(NAMES, [], "title")]
        for listed in LISTS:
            tables += [table(ACRONYM_NAMES, listed, style) for style in ("title", "asListed")]
        write(tables)
