# mechanism: defines the entry point as something that cannot be called
# expect: runtime_error

import zwc

f = 5
