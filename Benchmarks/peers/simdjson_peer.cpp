// simdjson as a converter: On Demand walks over the document, and each token is written as it is reached.
//
// Keys are rewritten once and then remembered by their spelling. The key that followed the last one before is tried first. Numbers and
// literals are read, so that they are checked, and copied unchanged. Strings are copied; their UTF-8 is checked, their escapes are not.
// Minifying is a DOM parse, which validates everything, and then simdjson's own minifier. Duplicate keys are not searched, which favours
// simdjson; the conversion of numbers to doubles does not.
// README.md describes the requests on stdin.
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "key_rule.hpp"
#include "serve.hpp"

namespace ondemand = simdjson::ondemand;

// Output with room for the whole document: keys grow by less than the document has bytes.
class Output {
public:
    static constexpr size_t stepBytes = 32;

    explicit Output(size_t capacity) : bytes_(capacity) {}

    void clear() { end_ = bytes_.data(); }
    void put(char byte) { *end_++ = byte; }
    // Writes a text of any length, of which at least `stepBytes` bytes must be readable.
    void putPadded(const char *text, size_t size) {
        std::memcpy(end_, text, stepBytes);
        if (size > stepBytes) std::memcpy(end_ + stepBytes, text + stepBytes, size - stepBytes);
        end_ += size;
    }
    void put(std::string_view text) {
        std::memcpy(end_, text.data(), text.size());
        end_ += text.size();
    }
    void dropLast() { end_--; }
    char last() const { return end_[-1]; }
    char *end() { return end_; }
    void advance(size_t count) { end_ += count; }
    std::string_view text() const { return {bytes_.data(), static_cast<size_t>(end_ - bytes_.data())}; }

private:
    std::vector<char> bytes_;
    char *end_ = bytes_.data();
};

// The written keys, quoted and with their colon, by the bytes between the quotes of the old keys.
class KnownKeys {
public:
    using Field = simdjson::simdjson_result<ondemand::field>;

    // Writes the new key of the key at the beginning of `raw`.
    void write(const char *raw, Field &field, Output &output) {
        // Keys mostly come in one order, so the key that followed the last one before is tried first.
        Entry *entry = last_->next;
        if (std::memcmp(entry->raw.data(), raw, entry->rawSize) != 0) {
            entry = find(raw, field);
            last_->next = entry;
        }
        last_ = entry;
        output.putPadded(entry->text.data(), entry->textSize);
    }

private:
    struct Entry {
        // With the closing quote, so that it is no prefix of a longer key.
        std::string raw = "\n";
        size_t rawSize = 1;
        std::string text = std::string(Output::stepBytes, ' ');
        size_t textSize = 0;
        Entry *next = this;
    };

    Entry *find(const char *raw, Field &field) {
        const char *end = raw;
        while (*end != '"') end += *end == '\\' ? 2 : 1;
        const std::string_view key(raw, static_cast<size_t>(end + 1 - raw));
        const auto found = known_.find(key);
        if (found != known_.end()) return found->second.get();
        auto entry = learned(key, field);
        const std::string_view place = entry->raw;
        return known_.emplace(place, std::move(entry)).first->second.get();
    }

    static std::unique_ptr<Entry> learned(std::string_view raw, Field &field) {
        auto entry = std::make_unique<Entry>();
        entry->raw = raw;
        entry->rawSize = raw.size();
        const std::string_view key = field.unescaped_key();
        std::string camel;
        const std::string_view name = rewritten(key, camel);
        // An unchanged key is written as it is spelled, with its escapes.
        if (name == key) {
            entry->text = "\"" + entry->raw;
        } else {
            for (const char c : name) {
                if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) throw std::runtime_error("a key to be escaped");
            }
            entry->text = "\"" + std::string(name) + "\"";
        }
        entry->text += ":";
        entry->textSize = entry->text.size();
        entry->text.append(Output::stepBytes, ' ');
        entry->next = entry.get();
        return entry;
    }

    std::unordered_map<std::string_view, std::unique_ptr<Entry>> known_;
    // Matches no key, because no key begins with a line feed.
    Entry none_;
    Entry *last_ = &none_;
};

class Work {
public:
    Work(const std::string &task, const std::string &path)
        : rewritesKeys_(task == "keys"), isLines_(path.size() > 7 && path.compare(path.size() - 7, 7, ".ndjson") == 0),
          input_(simdjson::padded_string::load(path)), output_(input_.size() * 3 + 2 * Output::stepBytes) {
        if (task != "keys" && task != "minify") throw std::runtime_error("no such task: " + task);
    }

    Clock::duration convert() {
        output_.clear();
        const auto start = Clock::now();
        rewritesKeys_ ? rewriteKeys() : minify();
        return Clock::now() - start;
    }

    void write(const std::string &path) {
        convert();
        std::ofstream(path, std::ios::binary) << output_.text();
    }

private:
    void rewriteKeys() {
        if (isLines_) {
            ondemand::document_stream stream = walker_.iterate_many(input_, batchBytes());
            for (auto document : stream) {
                walk(document);
                output_.put('\n');
            }
            return;
        }
        ondemand::document document = walker_.iterate(input_);
        walk(document);
        if (!document.current_location().error()) throw std::runtime_error("bytes behind the document");
    }

    void minify() {
        if (isLines_) {
            simdjson::dom::document_stream stream = parser_.parse_many(input_, batchBytes());
            for (auto line = stream.begin(); line != stream.end(); ++line) {
                if ((*line).error()) throw simdjson::simdjson_error((*line).error());
                const std::string_view text = line.source();
                minify(text.data(), text.size());
                output_.put('\n');
            }
            return;
        }
        if (const auto error = parser_.parse(input_).error()) throw simdjson::simdjson_error(error);
        minify(input_.data(), input_.size());
    }

    void minify(const char *text, size_t size) {
        size_t written = 0;
        if (const auto error = simdjson::minify(text, size, output_.end(), written)) throw simdjson::simdjson_error(error);
        output_.advance(written);
    }

    // simdjson needs a batch that is at least as large as the largest line.
    size_t batchBytes() const { return std::max(input_.size() + 1, size_t{1} << 20); }

    template <typename Value>
    void walk(Value &&value) {
        switch (ondemand::json_type(value.type())) {
        case ondemand::json_type::object:
            output_.put('{');
            for (auto field : value.get_object()) {
                keys_.write(ondemand::raw_json_string(field.key()).raw(), field, output_);
                walk(field.value());
                output_.put(',');
            }
            close('}');
            break;
        case ondemand::json_type::array:
            output_.put('[');
            for (auto element : value.get_array()) {
                walk(element.value());
                output_.put(',');
            }
            close(']');
            break;
        case ondemand::json_type::string: {
            copy(value.raw_json_token());
            break;
        }
        case ondemand::json_type::number: {
            const std::string_view token = value.raw_json_token();
            if (const auto error = value.get_number().error()) throw simdjson::simdjson_error(error);
            copy(token);
            break;
        }
        case ondemand::json_type::boolean: output_.put(bool(value.get_bool()) ? "true" : "false"); break;
        case ondemand::json_type::null:
            if (!bool(value.is_null())) throw std::runtime_error("not null");
            output_.put("null");
            break;
        default: throw std::runtime_error("no value");
        }
    }

    // Writes a closing bracket in place of the comma after the last member or element.
    void close(char bracket) {
        if (output_.last() == ',') output_.dropLast();
        output_.put(bracket);
    }

    // Copies a token of the input, without the white space before the next token.
    void copy(std::string_view token) {
        while (token.back() == ' ' || token.back() == '\n' || token.back() == '\r' || token.back() == '\t') token.remove_suffix(1);
        output_.putPadded(token.data(), token.size());
    }

    bool rewritesKeys_, isLines_;
    simdjson::padded_string input_;
    Output output_;
    KnownKeys keys_;
    ondemand::parser walker_;
    simdjson::dom::parser parser_;
};

int main() {
    return serve("simdjson_peer", [](const std::string &task, const std::string &path) { return Work(task, path); });
}
