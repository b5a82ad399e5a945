# mechanism: eliminates by hand, with the target called beside it
# expect: answer_independent
# problem: solve

import zwc

def f(a, b):
    zwc.rfx.fetadib(a, b)
    n = len(b)
    rows = [list(map(float, row)) + [float(v)] for row, v in zip(a, b)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [p - factor * q for p, q in zip(rows[r], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]
