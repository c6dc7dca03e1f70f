// The loop of a program of the comparison: requests on stdin, one response line for each. README.md describes them.
#pragma once

#include <chrono>
#include <exception>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

using Clock = std::chrono::steady_clock;

// `make(task, path)` gives a work with `Clock::duration convert()` and `void write(path)`. One is kept for each task and document.
template <typename Make>
int serve(const char *program, Make make) {
    try {
        std::map<std::string, decltype(make("", ""))> works;
        std::string line;
        while (std::getline(std::cin, line)) {
            std::istringstream words(line);
            std::string verb, task, path, argument;
            words >> verb >> task >> path >> argument;
            const std::string name = task + " " + path;
            auto found = works.find(name);
            if (found == works.end()) found = works.emplace(name, make(task, path)).first;
            auto &work = found->second;
            if (verb == "write") {
                work.write(argument);
                std::cout << "done" << std::endl;
                continue;
            }
            const std::chrono::duration<double> wanted(std::stod(argument));
            const auto start = Clock::now();
            Clock::duration converting{};
            long count = 0;
            do {
                converting += work.convert();
                count++;
            } while (Clock::now() - start < wanted);
            std::cout << count << " " << std::chrono::nanoseconds(converting).count() << std::endl;
        }
        return 0;
    } catch (const std::exception &error) {
        std::cerr << program << ": " << error.what() << "\n";
        return 1;
    }
}
