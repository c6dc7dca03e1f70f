// The work of every comparison: each snake_case key to camelCase, and five renames. key_rule.py does the same.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

static constexpr std::pair<std::string_view, std::string_view> renames[] = {
    {"created_at", "ca"}, {"screen_name", "sn"}, {"id_str", "is"}, {"name", "n"}, {"type", "t"}};

inline char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The new key. `camel` is its storage if it is neither the old key itself nor a constant.
inline std::string_view rewritten(std::string_view key, std::string &camel) {
    for (const auto &[from, to] : renames) {
        if (key == from) return to;
    }
    const size_t start = key.find_first_not_of('_');
    if (start == key.npos || std::memchr(key.data() + start, '_', key.size() - start) == nullptr) return key;
    camel.assign(key.substr(0, start));
    bool opensWord = false;
    bool isFirstWord = true;
    for (const char c : key.substr(start)) {
        if (c == '_') {
            opensWord = true;
            isFirstWord = false;
        } else {
            camel.push_back(opensWord && !isFirstWord ? upper(c) : lower(c));
            opensWord = false;
        }
    }
    return camel;
}
