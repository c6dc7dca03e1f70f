// The parser of the system's libyaml. No logic.
#ifndef CYAML_H
#define CYAML_H
#include <yaml.h>
#endif
