"""The drop-in beside djangorestframework-camel-case itself, if both it and Django are installed."""

import enum
import io
import json
import math
import random
import resource
import unittest
from collections.abc import Callable

try:
    from django.conf import settings

    settings.configure()
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.http import QueryDict
    from django.test.client import RequestFactory
    from django.utils.datastructures import MultiValueDict
    from django.utils.functional import lazystr
    from djangorestframework_camel_case import middleware, parser, render, util
    from rest_framework.exceptions import ParseError
    from rest_framework.renderers import JSONRenderer
    from rest_framework.utils.serializer_helpers import ReturnDict, ReturnList

    from convert_json import camel_case, rest_framework
except ImportError as error:
    raise unittest.SkipTest(f"no {error.name}")

from .support import fixtures

# The repository of that package removes underscores at the beginning. Its last release, 1.4.2, does not do so yet.
released = util.camel_to_underscore
util.camel_to_underscore = lambda name, **options: released(name, **options).lstrip("_")

OPTIONS = [
    {},
    {"no_underscore_before_number": True},
    {"ignore_fields": ("a_b", "cD", 1), "ignore_keys": ("a_b", "e1", "fG")},
]


class Fruit(str, enum.Enum):
    APPLE = "apple_pie"


class RestFrameworkTests(unittest.TestCase):
    def setUp(self) -> None:
        self.numbers = random.Random(6)

    def key(self) -> str:
        return "".join(self.numbers.choices("aabcAB01__-é.\n", k=self.numbers.randrange(9)))

    def value(self, depth: int = 0) -> object:
        kind = self.numbers.randrange(9 if depth < 4 else 6)
        if kind < 6:
            return [None, True, 12, 1.5, "a_b", lazystr("lazy_b")][kind]
        if kind == 6:
            return tuple(self.value(depth + 1) for _ in range(3))
        keys = [*(self.key() for _ in range(4)), "a_b", "c_d", "cD", "e1", "f_g", 1, True, lazystr("lazy_k")]
        members = {key: self.value(depth + 1) for key in self.numbers.sample(keys, 5)}
        return members if kind == 7 else [members]

    def test_every_short_key_becomes_the_same(self) -> None:
        for _ in range(20_000):
            key = self.key()
            for options in [*OPTIONS, {"ignore_fields": "a_b"}, {"ignore_keys": "a_b"}]:
                data = {key: {"a_b": 1}}
                self.assertEqual(camel_case.camelize(data, **options), util.camelize(data, **options), key)
                self.assertEqual(camel_case.underscoreize(data, **options), util.underscoreize(data, **options), key)

    def test_data_becomes_equal_in_the_same_order(self) -> None:
        for _ in range(1000):
            value = self.value()
            for options in OPTIONS:
                wanted = util.camelize(value, **options)
                self.assertEqual(plain(camel_case.camelize(value, **options)), plain(wanted))
                self.assertEqual(
                    plain(camel_case.underscoreize(wanted, **options)), plain(util.underscoreize(wanted, **options)))

    def test_documents_are_rendered_and_parsed_equally(self) -> None:
        ours, theirs = rest_framework.CamelCaseJSONRenderer(), render.CamelCaseJSONRenderer()
        documents = [json.loads(path.read_bytes()) for path in sorted(fixtures.glob("json/y_*.json"))]
        documents += [self.value() for _ in range(500)] + [None, "\u2028", {"a_\u2029": "\u2028é\x7f\0\"\\"}, 10**40, -1.5e300]
        self.assertGreater(len(documents), 550)
        for document in documents:
            for options in OPTIONS:
                ours.json_underscoreize = theirs.json_underscoreize = options
                text = outcome(lambda: theirs.render(document))
                self.assertEqual(outcome(lambda: ours.render(document)), text)
                if isinstance(text, bytes) and text:
                    parsers = rest_framework.CamelCaseJSONParser(), parser.CamelCaseJSONParser()
                    for one in parsers:
                        one.json_underscoreize = options
                    self.assertEqual(*(plain(one.parse(io.BytesIO(text))) for one in parsers))

    @unittest.skipIf(camel_case._render is None, "needs CPython with its GIL")
    def test_the_c_module_renders_all_types_that_it_supports(self) -> None:
        data = {"a_b": [1, True, {"c_d": (lazystr("e_f"), 1.5)}], 2: ReturnDict({"g_h": None}, serializer=None)}
        self.assertEqual(camel_case.render(data), b'{"aB":[1,true,{"cD":["e_f",1.5]}],"2":{"gH":null}}')
        endless: list[object] = []
        endless.append(endless)
        for other in ({"a_b": 1, "aB": 2}, [math.nan], "\ud800", iter([1]), object(), endless, {(1,): 2}):
            self.assertIsNone(camel_case.render(other))
        self.assertIsNone(camel_case.render({}, ignore_fields=("a",)))

    def test_rendering_keeps_no_memory(self) -> None:
        data = [{f"a_{number}": [str(number) * 20, number / 7] for number in range(1000)}, {"a_b": 1, "aB": math.nan}] * 5
        for round in range(60):
            camel_case.render(data[:1])
            camel_case.render(data)
            if round == 20:
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 4 << 10)

    def test_few_and_short_keys_are_remembered(self) -> None:
        options = {"ignore_fields": ("raw_data",)}
        camelized, underscored = camel_case._configured(camel_case._camelized, options), camel_case._keys_to_underscores(options)
        texts = camel_case._configured(camel_case._camelized, {}).texts
        memories = [camelized, camelized.are_opaque, underscored, underscored.are_opaque, texts]
        for key in ("a_b" + "x" * 126, "rawData" + "é" * 1_000_000):
            self.assertEqual(*(one.camelize({key: {"c_d": 1}}, **options) for one in (camel_case, util)))
            self.assertEqual(*(one.underscoreize({key: {"cD": 1}}, **options) for one in (camel_case, util)))
            camel_case.render({key: 1})
            for memory in memories:
                self.assertNotIn(key, memory)
        many = {f"a_{number}": {"c_d": 1} for number in range(12_000)}
        many["raw_data"] = {"c_d": 1, "eF": 2}
        for number in range(3):
            data = {**many, f"b_{number}": {"c_d": [1]}}
            self.assertEqual(*(one.camelize(data, **options) for one in (camel_case, util)))
            self.assertEqual(*(one.underscoreize(data, **options) for one in (camel_case, util)))
            if camel_case._render is not None:
                self.assertEqual(json.loads(camel_case.render(data) or b"null"), util.camelize(data))
                self.assertIn(f"b_{number}", texts)
            # Keys that come after many others are remembered, too.
            self.assertIn(f"b_{number}", camelized)
            self.assertIn(f"b_{number}", underscored)
        for memory in memories:
            self.assertLessEqual(len(memory), 10_000)

    def test_a_key_of_another_class_is_not_remembered_for_its_text(self) -> None:
        options = {"ignore_keys": ("apple_pie",)}
        for function in (camel_case.camelize, camel_case.underscoreize):
            self.assertEqual(function({Fruit.APPLE: 1}, **options), {"apple_pie": 1})
            self.assertEqual([type(key) for key in function({"apple_pie": 1}, **options)], [str])

    def test_a_renderer_may_have_another_renderer_as_its_next_base(self) -> None:
        class Envelope(JSONRenderer):
            def render(self, data: object, *arguments: object, **options: object) -> bytes:
                return bytes(super().render({"data": data}, *arguments, **options))

        for module in (rest_framework, render):
            renderer = type("Renderer", (module.CamelCaseJSONRenderer, Envelope), {})
            self.assertEqual(renderer().render({"a_b": 1}), b'{"data":{"aB":1}}')

    def test_the_last_of_equal_keys_counts(self) -> None:
        for text in (b'{"aB":1,"a_b":2,"aB":3}', b'{"a_b":1,"aB":2}', b'{"aB":{"cD":1,"c_d":2}}'):
            ours, theirs = rest_framework.CamelCaseJSONParser(), parser.CamelCaseJSONParser()
            self.assertEqual(plain(ours.parse(io.BytesIO(text))), plain(theirs.parse(io.BytesIO(text))))

    def test_invalid_documents_are_parse_errors(self) -> None:
        for text in (b"", b"{", b'{"a":\xff}', b"[NaN"):
            with self.assertRaisesRegex(ParseError, "^JSON parse error - "):
                rest_framework.CamelCaseJSONParser().parse(io.BytesIO(text))

    def test_renderers_keep_the_options_of_the_framework(self) -> None:
        data = ReturnDict({"a_b": ReturnList([{"c_d": "é"}], serializer=None)}, serializer=None)
        for media_type in (None, "application/json; indent=2"):
            self.assertEqual(*(
                renderer.render(data, media_type, {}) for renderer in (
                    rest_framework.CamelCaseJSONRenderer(), render.CamelCaseJSONRenderer())))

    def test_queries_and_forms_become_equal(self) -> None:
        query = QueryDict("testList=1&testList=2&aB=3&e1=4")
        files = MultiValueDict({"aFile": [SimpleUploadedFile("name.txt", b"x")], "e1": [SimpleUploadedFile("b.txt", b"")]})
        for options in OPTIONS:
            for value in (query, files):
                ours, theirs = camel_case.underscoreize(value, **options), util.underscoreize(value, **options)
                self.assertEqual((type(ours), ours), (type(theirs), theirs))
        seen = []
        for one in (rest_framework, middleware):
            one.CamelCaseMiddleWare(lambda request: seen.append(request.GET))(RequestFactory().get("/?aB=1&aB=2"))
        self.assertEqual(seen[0], seen[1])
        self.assertEqual(seen[0], QueryDict("a_b=1&a_b=2"))


def plain(value: object) -> object:
    """The types, the order and the values of data, to compare it. djangorestframework-camel-case uses OrderedDict for dict."""
    if isinstance(value, dict):
        return [(type(key), key, plain(element)) for key, element in value.items()]
    return [plain(element) for element in value] if isinstance(value, (list, tuple)) else (type(value), value)


def outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except Exception as error:
        return repr(error)
