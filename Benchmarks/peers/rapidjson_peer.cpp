// RapidJSON as a converter: its reader's events pass through a filter into its writer, and no tree is built.
//
// Keys are rewritten while the document is parsed in situ, and no key is remembered, as is usual. RapidJSON then checks neither UTF-8 nor
// duplicate keys, which favours it. Minifying checks UTF-8. Both tasks copy numbers unchanged.
// --tuned has changes that RapidJSON's interface is not made for, but that make it faster: it remembers each written key, copies finished
// text whole instead of byte by byte, and also minifies in situ.
// README.md describes the requests on stdin.
#define RAPIDJSON_SSE2 1
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "key_rule.hpp"
#include "serve.hpp"

namespace json = rapidjson;

class Writer : public json::Writer<json::StringBuffer> {
public:
    using json::Writer<json::StringBuffer>::Writer;

    // Writes finished text at once; RawValue writes it byte by byte.
    bool Copy(const char *text, size_t size, json::Type type) {
        Prefix(type);
        std::memcpy(os_->Push(size), text, size);
        return EndValue(true);
    }

    size_t size() const { return os_->GetSize(); }
    const char *text() const { return os_->GetString(); }
};

// Passes every event to the writer, with numbers unchanged. (A writer that gets them directly puts them into quotes.)
class RawFilter {
public:
    explicit RawFilter(Writer &writer) : writer_(writer) {}

    bool Null() { return writer_.Null(); }
    bool Bool(bool value) { return writer_.Bool(value); }
    bool Int(int value) { return writer_.Int(value); }
    bool Uint(unsigned value) { return writer_.Uint(value); }
    bool Int64(int64_t value) { return writer_.Int64(value); }
    bool Uint64(uint64_t value) { return writer_.Uint64(value); }
    bool Double(double value) { return writer_.Double(value); }
    bool RawNumber(const char *text, json::SizeType size, bool) {
        return writer_.RawValue(text, size, json::kNumberType);
    }
    bool String(const char *text, json::SizeType size, bool) { return writer_.String(text, size); }
    bool Key(const char *text, json::SizeType size, bool) { return writer_.Key(text, size); }
    bool StartObject() { return writer_.StartObject(); }
    bool EndObject(json::SizeType count) { return writer_.EndObject(count); }
    bool StartArray() { return writer_.StartArray(); }
    bool EndArray(json::SizeType count) { return writer_.EndArray(count); }

protected:
    Writer &writer_;
};

// Rewrites keys. The reader knows the type of its handler, so that no function here has to be virtual.
class KeyFilter : public RawFilter {
public:
    using RawFilter::RawFilter;

    bool Key(const char *text, json::SizeType size, bool) {
        const std::string_view name = rewritten({text, size}, camel_);
        return writer_.Key(name.data(), static_cast<json::SizeType>(name.size()));
    }

private:
    std::string camel_;
};

class TunedRawFilter : public RawFilter {
public:
    using RawFilter::RawFilter;

    bool RawNumber(const char *text, json::SizeType size, bool) { return writer_.Copy(text, size, json::kNumberType); }
};

// A known key, and the bytes that the writer wrote for its new key.
struct KnownKey {
    size_t size = 0, writtenSize = 0;
    char name[48], written[64];
};

class TunedKeyFilter : public KeyFilter {
public:
    TunedKeyFilter(Writer &writer, std::vector<KnownKey> &known) : KeyFilter(writer), known_(known) {}

    bool RawNumber(const char *text, json::SizeType size, bool) { return writer_.Copy(text, size, json::kNumberType); }

    bool Key(const char *text, json::SizeType size, bool copy) {
        if (size == 0 || size > sizeof KnownKey::name) return KeyFilter::Key(text, size, copy);
        KnownKey &key = known_[place(text, size)];
        if (key.size == size && std::memcmp(key.name, text, size) == 0) {
            return writer_.Copy(key.written, key.writtenSize, json::kStringType);
        }
        // The first key keeps its place in the table. If two keys replaced each other, neither would be remembered.
        if (key.size != 0) return KeyFilter::Key(text, size, copy);
        std::memcpy(key.name, text, size);
        const size_t start = writer_.size();
        if (!KeyFilter::Key(text, size, copy)) return false;
        const char *written = std::strchr(writer_.text() + start, '"');
        key.writtenSize = static_cast<size_t>(writer_.text() + writer_.size() - written);
        if (key.writtenSize <= sizeof KnownKey::written) {
            std::memcpy(key.written, written, key.writtenSize);
            key.size = size;
        }
        return true;
    }

    static constexpr int placeBits = 12;

private:
    size_t place(const char *text, size_t size) const {
        uint64_t first = 0, last = 0;
        if (size >= 8) {
            std::memcpy(&first, text, 8);
            std::memcpy(&last, text + size - 8, 8);
        } else {
            const auto at = [&](size_t index) { return static_cast<uint64_t>(static_cast<unsigned char>(text[index])); };
            first = at(0) | at(size / 4) << 8 | at(size / 2) << 16 | at(size - 1) << 24;
        }
        // The highest bits depend on all others.
        return (first ^ last * 0xC4CE'B9FE'1A85'EC53 ^ size) * 0x9E37'79B9'7F4A'7C15 >> (64 - placeBits);
    }

    std::vector<KnownKey> &known_;
};

// One document and its conversion.
class Work {
public:
    Work(const std::string &task, const std::string &path, bool isTuned) : rewritesKeys_(task == "keys"), isTuned_(isTuned) {
        std::ifstream file(path, std::ios::binary);
        if (!file || (task != "keys" && task != "minify")) throw std::runtime_error("no such work: " + task + " " + path);
        text_.assign(std::istreambuf_iterator<char>(file), {});
        output_.Reserve(text_.size() * 2);
    }

    // Converts once. Returns the time, without that of the copy that parsing in situ needs.
    Clock::duration convert() {
        if (rewritesKeys_ || isTuned_) scratch_.assign(text_.c_str(), text_.c_str() + text_.size() + 1);
        output_.Clear();
        const auto start = Clock::now();
        Writer writer(output_);
        if (rewritesKeys_ || isTuned_) {
            json::InsituStringStream stream(scratch_.data());
            if (!rewritesKeys_) {
                TunedRawFilter filter(writer);
                convertTexts<json::kParseInsituFlag | json::kParseValidateEncodingFlag>(stream, writer, filter);
            } else if (isTuned_) {
                TunedKeyFilter filter(writer, known_);
                convertTexts<json::kParseInsituFlag>(stream, writer, filter);
            } else {
                KeyFilter filter(writer);
                convertTexts<json::kParseInsituFlag>(stream, writer, filter);
            }
        } else {
            json::StringStream stream(text_.c_str());
            RawFilter filter(writer);
            convertTexts<json::kParseValidateEncodingFlag>(stream, writer, filter);
        }
        return Clock::now() - start;
    }

    void write(const std::string &path) {
        convert();
        std::ofstream(path, std::ios::binary).write(output_.GetString(), static_cast<std::streamsize>(output_.GetSize()));
    }

private:
    // Converts the JSON texts of the stream; NDJSON has many. `handler` passes their events to `writer`.
    template <unsigned flags, typename Stream, typename Handler>
    void convertTexts(Stream &stream, Writer &writer, Handler &handler) {
        json::Reader reader;
        for (;;) {
            writer.Reset(output_);
            if (!reader.Parse<flags | json::kParseNumbersAsStringsFlag | json::kParseStopWhenDoneFlag>(stream, handler)) {
                throw std::runtime_error("not JSON");
            }
            json::SkipWhitespace(stream);
            if (stream.Peek() == '\0') return;
            output_.Put('\n');
        }
    }

    bool rewritesKeys_;
    bool isTuned_;
    std::vector<KnownKey> known_{1 << TunedKeyFilter::placeBits};
    std::string text_;
    std::vector<char> scratch_;
    json::StringBuffer output_;
};

int main(int count, char **arguments) {
    const bool isTuned = count > 1 && std::string_view(arguments[1]) == "--tuned";
    return serve("rapidjson_peer", [=](const std::string &task, const std::string &path) { return Work(task, path, isTuned); });
}
