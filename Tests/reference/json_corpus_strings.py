"""The acceptance corpus, part two: strings, escapes, control characters, surrogates, UTF-8."""

CONTROL_NAMES = {0x00: "nul", 0x01: "soh", 0x07: "bell", 0x08: "backspace", 0x09: "tab", 0x0A: "line_feed", 0x0B: "vertical_tab",
                 0x0C: "form_feed", 0x0D: "carriage_return", 0x1B: "escape", 0x1F: "unit_separator"}

LEGAL = {
    "empty": '[""]', "plain": '["plain text"]', "escape_quote": r'["\""]', "escape_backslash": r'["\\"]',
    "escape_slash": r'["\/"]',
    "escape_b": r'["\b"]', "escape_f": r'["\f"]', "escape_n": r'["\n"]', "escape_r": r'["\r"]', "escape_t": r'["\t"]',
    "escape_all": r'["\"\\\/\b\f\n\r\t\u0041"]', "escape_u_lower": r'["\u00e9\uabcd"]',
    "escape_u_upper": r'["\u00E9\uABCD"]',
    "escape_u_mixed": r'["\uaBcD"]', "escape_u_nul": r'["\u0000"]', "escape_u_control": r'["\u001f\u0001"]',
    "escape_u_quote": r'["\u0022"]',
    "escape_u_backslash": r'["\u005c"]', "escape_u_then_digits": r'["\u00411234"]',
    "escape_u_noncharacter": r'["\uffff\ufffe\ufdd0"]',
    "escape_u_bom": r'["\ufeff"]', "escape_u_line_separator": r'["\u2028\u2029"]',
    "escaped_backslash_then_u": r'["\\u12"]',
    "escaped_backslash_at_end": r'["\\\\"]', "escaped_quote_at_end": r'["a\""]', "slash": '["/"]',
    "apostrophe": "[\"'\"]",
    "pair_first": r'["\ud800\udc00"]', "pair_last": r'["\udbff\udfff"]', "pair_upper": r'["\uD83D\uDE00"]',
    "pair_mixed": r'["\ud83d\uDE00"]',
    "pair_twice": r'["\ud83d\ude00\ud83d\ude01"]', "pair_in_name": r'{"\ud83d\ude00": 1}',
    "below_surrogates": r'["\ud7ff"]',
    "above_surrogates": r'["\ue000"]', "delete": '["\x7f"]', "c1_control": '["\u0080\u009f"]',
    "line_separator": '["\u2028\u2029"]',
    "nbsp": '["\u00a0"]', "noncharacters": '["\ufdd0\ufffe\uffff\U0001ffff\U0010ffff"]',
    "private_use": '["\ue000\U000f0000"]',
    "replacement": '["\ufffd"]', "combining": '["e\u0301"]', "right_to_left": '["\u05d0\u202e\u05d1"]',
    "two_byte_first": '["\u0080"]',
    "two_byte_last": '["\u07ff"]', "three_byte_first": '["\u0800"]', "three_byte_before_surrogates": '["\ud7ff"]',
    "three_byte_after_surrogates": '["\ue000"]', "three_byte_last": '["\uffff"]', "four_byte_first": '["\U00010000"]',
    "four_byte_last": '["\U0010ffff"]', "emoji_sequence": '["👩‍👩‍👧"]', "looks_like_json": r'["{\"a\": [1]}"]',
    "looks_like_comment": '["/* // #"]',
    "long_ascii": '["%s"]' % ("abcdefgh" * 1000), "long_not_ascii": '["%s"]' % ("é語😀" * 700),
    "long_escapes": '["%s"]' % (r"\u00e9\n" * 800),
    "only_spaces": '["   "]', "quotes_everywhere": r'["\"\"\"\""]', "name_not_ascii": '{"ключ": "値"}',
    "lengths_0_to_40": "[%s]" % ", ".join('"%s"' % ("x" * length) for length in range(41)),
    "escape_at_each_place": "[%s]" % ", ".join('"%s\\n%s"' % ("x" * i, "y" * (20 - i)) for i in range(20)),
}

ILLEGAL = {
    "cut": '["a', "cut_lone": '"', "cut_in_name": '{"a', "cut_after_backslash": '["\\',
    "cut_after_escaped_quote": '["a\\"]',
    "cut_escape_u": r'["\u', "cut_escape_u_1": r'["\u0', "cut_escape_u_2": r'["\u00', "cut_escape_u_3": r'["\u004',
    "cut_pair": r'["\ud83d\ud',
    "single_quotes": "['a']", "backticks": "[`a`]", "curly_quotes": "[\u201ca\u201d]", "unquoted": "[a]",
    "opened_single_closed_double": "['a\"]",
    "escape_a": r'["\a"]', "escape_v": r'["\v"]', "escape_x": r'["\x41"]', "escape_digit": r'["\0"]',
    "escape_octal": r'["\101"]',
    "escape_apostrophe": r'''["\'"]''', "escape_e": r'["\e"]', "escape_U": r'["\U0041"]', "escape_B": r'["\B"]',
    "escape_N": r'["\N"]', "escape_T": r'["\T"]',
    "escape_space": r'["\ "]', "escape_not_ascii": '["\\é"]', "escape_emoji": '["\\😀"]',
    "escape_line_feed": '["a\\\nb"]', "escape_nul": '["\\\0"]',
    "escape_u_empty": r'["\u"]', "escape_u_one": r'["\u0"]', "escape_u_two": r'["\u00"]',
    "escape_u_three": r'["\u004"]',
    "escape_u_letter_g": r'["\u004g"]', "escape_u_first_g": r'["\ug041"]', "escape_u_space": r'["\u 041"]',
    "escape_u_plus": r'["\u+041"]',
    "escape_u_minus": r'["\u-041"]', "escape_u_0x": r'["\u0x41"]', "escape_u_braces": r'["\u{41}"]',
    "escape_u_quote_inside": r'["\u00"41"]',
    "escape_u_not_ascii_digit": '["\\u00\uff11\uff11"]', "escape_u_bad_in_name": r'{"\u00zz": 1}',
    "pair_second_bad_hex": r'["\ud83d\ude0g"]',
    "pair_second_short": r'["\ud83d\ude0"]', "bad_escape_in_name": r'{"\q": 1}', "after_value": '1"a"',
    "two_lone": '"a""b"', "space_in_escape": r'["\ n"]',
    "backslash_outside": r'[\"a\"]', "prefix_u": '[u"a"]', "triple_quotes": '["""a"""]', "concatenated": '["a"+"b"]',
    "adjacent": '["a""b"]',
}

LONE = "A lone surrogate escape passes: RFC 8259 allows the text, and the string keeps its spelling."

OPEN = {
    "lone_high": r'["\ud800"]', "lone_low": r'["\udc00"]', "lone_high_upper": r'["\uDBFF"]',
    "lone_low_upper": r'["\uDFFF"]',
    "lone_high_then_text": r'["\ud83dabc"]', "lone_high_then_escape": r'["\ud83d\n"]',
    "lone_high_then_bmp": r'["\ud83d\u0041"]',
    "lone_high_then_high": r'["\ud83d\ud83d"]', "lone_high_then_pair": r'["\ud83d\ud83d\ude00"]',
    "lone_low_then_high": r'["\ude00\ud83d"]',
    "lone_pair_split_by_text": r'["\ud83dx\ude00"]', "lone_pair_then_low": r'["\ud83d\ude00\ude00"]',
    "lone_in_name": r'{"\ud800": 1}',
    "lone_low_in_name": r'{"a\udfff": 1}', "lone_high_then_backslash": r'["\ud83d\\ude00"]',
}

BAD_UTF8 = {
    "continuation_first": "80", "continuation_last": "bf", "continuation_two": "80 bf",
    "continuation_after_character": "c3 a9 a9",
    "overlong_2_of_nul": "c0 80", "overlong_2_of_slash": "c0 af", "overlong_2_of_delete": "c1 bf",
    "overlong_2_of_quote": "c0 a2",
    "overlong_3_of_nul": "e0 80 80", "overlong_3_of_slash": "e0 80 af", "overlong_3_of_07ff": "e0 9f bf",
    "overlong_4_of_nul": "f0 80 80 80", "overlong_4_of_slash": "f0 80 80 af", "overlong_4_of_ffff": "f0 8f bf bf",
    "overlong_5": "f8 80 80 80 af", "overlong_6": "fc 80 80 80 80 af", "surrogate_first": "ed a0 80",
    "surrogate_high_last": "ed af bf",
    "surrogate_low_first": "ed b0 80", "surrogate_last": "ed bf bf", "surrogate_pair": "ed a0 bd ed b8 80",
    "above_10ffff": "f4 90 80 80",
    "above_10ffff_f5": "f5 80 80 80", "above_10ffff_f7": "f7 bf bf bf", "five_bytes": "f8 88 80 80 80",
    "six_bytes": "fc 84 80 80 80 80",
    "byte_c0": "c0", "byte_c1": "c1", "byte_f5": "f5", "byte_fe": "fe", "byte_ff": "ff", "truncated_2": "c3",
    "truncated_3_after_1": "e8",
    "truncated_3_after_2": "e8 aa", "truncated_4_after_1": "f0", "truncated_4_after_2": "f0 9f",
    "truncated_4_after_3": "f0 9f 98",
    "two_leads": "c3 c3 a9", "lead_then_ascii": "c3 41", "three_bytes_bad_second": "e8 41 9e",
    "three_bytes_bad_third": "e8 aa 41",
    "four_bytes_bad_second": "f0 41 98 80", "four_bytes_bad_third": "f0 9f 41 80",
    "four_bytes_bad_fourth": "f0 9f 98 41",
    "lead_then_other_lead": "e8 f0 9f 98 80", "latin1": "e9", "windows_1252": "93 61 94",
    "bad_last_of_many": "41 " * 64 + "80",
    "bad_after_characters": "e8 aa 9e " * 20 + "e8 aa", "bad_at_byte_15": "41 " * 15 + "ff",
    "bad_at_byte_16": "41 " * 16 + "ff",
}

STRINGS = (
    [("y_string_" + name, text.encode()) for name, text in LEGAL.items()]
    + [("n_string_" + name, text.encode()) for name, text in ILLEGAL.items()]
    + [("i_string_" + name, text.encode(), True, None, LONE) for name, text in OPEN.items()]
    + [(f"n_string_control_{code:02x}_{name}",
    b'["a' + bytes([code]) + b'b"]') for code, name in CONTROL_NAMES.items()]
    + [("n_string_control_in_name", b'{"a\nb": 1}'), ("n_string_control_last", b'["a\t"]'),
    ("n_string_control_after_16", b'["' + b"x" * 16 + b'\x1f"]')]
    + [("n_utf8_" + name, b'["' + bytes.fromhex(data) + b'"]') for name, data in BAD_UTF8.items()]
    + [("n_utf8_in_name", b'{"\xff": 1}'), ("n_utf8_outside_string", b"[\xc3\xa9]"),
    ("n_utf8_bad_outside_string", b"[\xff]"),
       ("n_utf8_cut_at_end", b'["\xe8\xaa'), ("n_utf8_cut_by_quote", b'["\xf0\x9f\x98"]'),
       ("n_utf8_after_value", b"1\x80")]
)
