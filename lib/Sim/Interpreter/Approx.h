// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on an exact value with a bound on how far a machine is from it.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_APPROX_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_APPROX_H

#include <algorithm>
#include <cmath>

namespace drawloom {

/// `error` bounds |machine - value|.
struct Approx {
  double value;
  double error;
};

inline Approx operator+(Approx a, Approx b) {
  return {a.value + b.value, a.error + b.error};
}
inline Approx operator-(Approx a, Approx b) {
  return {a.value - b.value, a.error + b.error};
}

inline Approx operator*(Approx a, Approx b) {
  // An exact zero stays zero whatever the other's bound, infinite ones too.
  auto part = [](double x, double y) { return x == 0 || y == 0 ? 0.0 : x * y; };
  double u = std::abs(a.value), v = std::abs(b.value);
  return {a.value * b.value,
          part(u, b.error) + part(v, a.error) + part(a.error, b.error)};
}

inline Approx operator/(Approx a, Approx b) {
  double quotient = a.value / b.value;
  if (a.error == 0 && b.error == 0)
    return {quotient, 0};
  // The divisor may be anything when its bound reaches zero.
  double least = std::abs(b.value) - b.error;
  double error =
      least > 0 ? (a.error + std::abs(quotient) * b.error) / least : INFINITY;
  return {quotient, error};
}

inline Approx maximum(Approx a, Approx b) {
  double value = std::isnan(a.value) || std::isnan(b.value)
                     ? NAN
                     : std::max(a.value, b.value);
  // Far below the other, an operand's error does not reach the result.
  if (a.value + a.error < b.value - b.error)
    return b;
  if (b.value + b.error < a.value - a.error)
    return a;
  return {value, std::max(a.error, b.error)};
}

inline Approx minimum(Approx a, Approx b) {
  Approx negated = maximum({-a.value, a.error}, {-b.value, b.error});
  return {-negated.value, negated.error};
}

/// The operand that is a number (IEEE maxNum), else NaN.
inline Approx maximumNumber(Approx a, Approx b) {
  return std::isnan(a.value) ? b : std::isnan(b.value) ? a : maximum(a, b);
}
inline Approx minimumNumber(Approx a, Approx b) {
  return std::isnan(a.value) ? b : std::isnan(b.value) ? a : minimum(a, b);
}

/// A function that is monotone over `x`'s interval: its error is reached at an
/// end. An end outside the function's domain leaves no bound.
template <typename F> Approx monotone(F f, Approx x) {
  double y = f(x.value);
  if (x.error == 0)
    return {y, 0};
  double up = f(x.value + x.error), down = f(x.value - x.error);
  // Equal infinities are no distance apart.
  auto distance = [&](double end) { return end == y ? 0 : std::abs(end - y); };
  double error = std::max(distance(up), distance(down));
  return {y, std::isnan(up) || std::isnan(down) || std::isnan(error) ? INFINITY
                                                                     : error};
}

/// A function whose slope is nowhere steeper than 1 and whose range is [-1, 1].
template <typename F> Approx bounded(F f, Approx x) {
  return {f(x.value), std::min(x.error, 2.0)};
}

/// A comparison: its error is 1 where the operands are too close to tell.
template <typename F> Approx comparison(F f, Approx a, Approx b) {
  double reach = a.error + b.error;
  bool open = reach > 0 && !(std::abs(a.value - b.value) > reach);
  return {double(f(a.value, b.value)), double(open)};
}

inline Approx select(Approx condition, Approx a, Approx b) {
  Approx chosen = condition.value != 0 ? a : b;
  if (condition.error == 0)
    return chosen;
  return {chosen.value,
          std::max(a.error, b.error) + std::abs(a.value - b.value)};
}

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_APPROX_H
