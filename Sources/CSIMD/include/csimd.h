#ifndef CSIMD_H
#define CSIMD_H
#endif
