"""Points of a short Weierstrass curve. For tests: it does not hide its time, which a wallet must."""

from vectors import vectors


class Curve:
    """y² = x³ + b over the field of p, with a generator of prime order; None is infinity."""

    def __init__(self, p, b, order, generator):
        self.p, self.b, self.order, self.generator = p, b, order, generator

    def contains(self, x, y):
        return 0 <= x < self.p and 0 <= y < self.p and (y * y - x**3 - self.b) % self.p == 0

    def point(self, x, y):
        """A point from outside."""
        if not self.contains(x, y):
            raise ValueError("is not a point of the curve")
        return x, y

    def add(self, left, right):
        if left is None or right is None:
            return left or right
        (x1, y1), (x2, y2) = left, right
        if x1 != x2:
            slope = (y2 - y1) * pow(x2 - x1, -1, self.p) % self.p
        elif (y1 + y2) % self.p == 0:
            return None
        else:
            slope = 3 * x1 * x1 * pow(2 * y1, -1, self.p) % self.p
        x = (slope * slope - x1 - x2) % self.p
        return x, (slope * (x1 - x) - y1) % self.p

    def multiply(self, scalar, point=None):
        """scalar · point, of the generator without a point."""
        product, doubled = None, point or self.generator
        while scalar > 0:
            if scalar & 1:
                product = self.add(product, doubled)
            doubled = self.add(doubled, doubled)
            scalar >>= 1
        return product


_GRUMPKIN = vectors("constants.json")["grumpkin"]
GRUMPKIN = Curve(
    p=int(vectors("constants.json")["field"], 16),
    b=int(_GRUMPKIN["b"], 16),
    order=int(_GRUMPKIN["order"], 16),
    generator=tuple(int(value, 16) for value in _GRUMPKIN["generator"]),
)
