"""exp2, log2, pow, sin, cos and friends over sixteen lanes: our own, so that results are the same on every machine.

Only additions, multiplications, divisions and square roots of IEEE singles: every step is exactly defined.  Errors against
the true value, over the ranges that Direct3D 8 uses: exp2 and log2 about 2e-7 relative (log2 near 1: absolute), sin and
cos 1e-6 absolute within +-1000.  For one number: `lane(exp2(vfloat(x)), 0)`, or the *_number functions.
"""

from __future__ import annotations

import numpy as np

from core.kernels.jit import stage
from core.kernels.simd import (
    bits_float,
    float_bits,
    floor,
    lane,
    maximum,
    minimum,
    select,
    shift_right,
    to_float,
    to_int_in_range,
    vfloat,
    vint,
)  # fmt: skip

F = np.float32
LOG2_E, LN_2 = F(1.44269504), F(0.69314718)
INFINITY = F(np.inf)

# 2**x = sum c_i x**i over -0.5..0.5 (Taylor coefficients ln(2)**i / i!; the remainder is below 2e-8)
E1, E2, E3 = F(0.6931471805599453), F(0.2402265069591007), F(0.05550410866482158)
E4, E5, E6, E7 = F(0.009618129107628477), F(0.0013333558146428443), F(0.0001540353039338161), F(0.00001525273380405984)
# log2((1+s)/(1-s)) = sum of odd powers: 2/ln(2) * (s + s**3/3 + ...)
L1, L3, L5 = F(2.8853900817779268), F(0.9617966939259756), F(0.5770780163555854)
L7, L9 = F(0.41219858311113244), F(0.32059897975309923)
SQRT_2_BITS = 0x3F3504F3  # sqrt(1/2)

TWO_OVER_PI = F(0.6366197723675814)
PI_2_HIGH, PI_2_MIDDLE, PI_2_LOW = F(1.5703125), F(0.0004837512969970703), F(7.549789948768648e-08)  # their sum is pi/2
S3, S5, S7 = F(-0.16666654611), F(0.00833216087), F(-0.00019515296)
C4, C6, C8 = F(0.041666645683), F(-0.0013887316255), F(0.00002443315711)


@stage
def exp2(x):
    """2**x; over- and underflow give infinity and 0 (results below 2**-126 are flushed), NaN gives NaN."""
    bounded = minimum(maximum(x, F(-127.0)), F(128.0))
    whole = floor(bounded + F(0.5))
    f = bounded - whole
    p = ((((((E7 * f + E6) * f + E5) * f + E4) * f + E3) * f + E2) * f + E1) * f + F(1.0)
    n = to_int_in_range(select(whole == whole, whole, vfloat(F(0.0))))
    half = n >> 1  # two steps: 2**128 is not a single
    scaled = p * bits_float((half + 127) << 23) * bits_float((n - half + 127) << 23)
    scaled = select(x >= F(128.0), vfloat(INFINITY), scaled)
    return select(x != x, x, select(x < F(-126.0), vfloat(F(0.0)), scaled))


@stage
def log2(x):
    """log2(x); 0 and subnormals give -infinity, negative numbers and NaN give NaN."""
    bits = float_bits(x)
    exponent = (bits - SQRT_2_BITS) >> 23
    m = bits_float(bits - (exponent << 23))  # in sqrt(1/2) .. sqrt(2)
    s = (m - F(1.0)) / (m + F(1.0))
    q = s * s
    result = to_float(exponent) + s * ((((L9 * q + L7) * q + L5) * q + L3) * q + L1)
    result = select(x < F(1.17549435e-38), vfloat(-INFINITY), result)
    result = select(x == INFINITY, x, result)
    return select((x < F(0.0)) | (x != x), vfloat(F(np.nan)), result)


@stage
def exp(x):
    """e**x."""
    return exp2(x * LOG2_E)


@stage
def log(x):
    """Natural logarithm."""
    return log2(x) * LN_2


@stage
def power(x, y):
    """x**y of x >= 0 (a negative x gives NaN); x**0 and 1**y are 1, 0**y is 0 for positive y."""
    result = exp2(y * log2(x))
    result = select((x == F(0.0)) & (y > F(0.0)), vfloat(F(0.0)), result)
    return select((y == F(0.0)) | (x == F(1.0)), vfloat(F(1.0)), result)


@stage
def _sine_of_quadrant(x, shift):
    """sin(x + shift * pi/2)."""
    k = floor(x * TWO_OVER_PI + F(0.5))
    r = ((x - k * PI_2_HIGH) - k * PI_2_MIDDLE) - k * PI_2_LOW
    q = r * r
    sine = r + r * q * ((S7 * q + S5) * q + S3)
    cosine = (F(1.0) - F(0.5) * q) + q * q * ((C8 * q + C6) * q + C4)
    bounded = minimum(maximum(k, F(-16777216.0)), F(16777216.0))
    quadrant = to_int_in_range(select(bounded == bounded, bounded, vfloat(F(0.0)))) + vint(shift)
    result = select((quadrant & 1) == 0, sine, cosine)
    return bits_float(float_bits(result) ^ (shift_right(quadrant, 1) << 31))


@stage
def sin(x):
    """Sine of an angle in radians."""
    return _sine_of_quadrant(x, 0)


@stage
def cos(x):
    """Cosine of an angle in radians."""
    return _sine_of_quadrant(x, 1)


@stage
def cos_number(x):
    """Cosine of one number."""
    return lane(cos(vfloat(x)), 0)
