#include "csimd.h"
