// Everything of it is in SwiftGlibc, where inlinable code of Foundation looks for it.
#pragma once
#include "CLibrary.h"
