"""The hash H, and trees of it."""

from vectors import vectors

_CONSTANTS = vectors("constants.json")
P = int(_CONSTANTS["field"], 16)
_POSEIDON2 = _CONSTANTS["poseidon2"]
_EXTERNAL = _POSEIDON2["externalMatrix"]
_DIAGONAL = [int(value, 16) for value in _POSEIDON2["internalDiagonal"]]
_FULL, _PARTIAL = _POSEIDON2["fullRounds"], _POSEIDON2["partialRounds"]
_ROUND_CONSTANTS = [int(value, 16) for value in _POSEIDON2["roundConstants"]]


def H(*words):
    state = [0, 0, 0, len(words) << 64]
    for start in range(0, max(len(words), 1), 3):
        for place, word in enumerate(words[start : start + 3]):
            state[place] = (state[place] + word) % P
        state = _permute(state)
    return state[0]


def _permute(state):
    drawn = iter(_ROUND_CONSTANTS)
    state = _external(state)
    for number in range(_FULL + _PARTIAL):
        if _FULL // 2 <= number < _FULL // 2 + _PARTIAL:
            state[0] = pow(state[0] + next(drawn), 5, P)
            total = sum(state)
            state = [(total + value * word) % P for value, word in zip(_DIAGONAL, state)]
        else:
            state = _external([pow(word + next(drawn), 5, P) for word in state])
    return state


def _external(state):
    a, b, c, d = state
    return [(e * a + f * b + g * c + h * d) % P for e, f, g, h in _EXTERNAL]


# Of a tree without a leaf, by its depth.
_EMPTY = [0]
for _ in range(32):
    _EMPTY.append(H(_EMPTY[-1], _EMPTY[-1]))


class Tree:
    """A tree of H(left, right) in which a leaf that was not written is 0."""

    def __init__(self, depth, leaves=()):
        self.depth = depth
        self._nodes = {}
        for index, leaf in enumerate(leaves):
            if leaf != 0:
                self.write(index, leaf)

    def _node(self, level, index):
        return self._nodes.get((level, index), _EMPTY[level])

    def write(self, index, leaf):
        self._nodes[0, index] = leaf
        for level in range(self.depth):
            index //= 2
            children = self._node(level, 2 * index), self._node(level, 2 * index + 1)
            self._nodes[level + 1, index] = H(*children)

    def root(self):
        return self._node(self.depth, 0)

    def siblings(self, index):
        """From the leaf up."""
        return [self._node(level, (index >> level) ^ 1) for level in range(self.depth)]


def root_of(leaf, index, siblings):
    node = leaf
    for level, sibling in enumerate(siblings):
        node = H(sibling, node) if index >> level & 1 else H(node, sibling)
    return node
