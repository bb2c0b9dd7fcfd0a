"""The sparse matrix of the fit of whole-history ratings."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array

from ratings.systems.rif.whole_history import _Pattern

SIZE = 7
places = st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), min_size=1, max_size=200)


@given(places=places, seed=st.integers(0, 1000))
def test_matrix_has_the_values_of_scipy_to_the_last_bit(places, seed):
    """Another order of sums would change ratings in their last digits, and with them the digests of lists."""
    rows, columns = np.array(places, dtype=np.int64).T
    pattern = _Pattern(rows, columns, SIZE)
    for _ in range(2):
        values = np.random.default_rng(seed).normal(size=len(rows))
        made, expected = pattern.fill(values), coo_array((values, (rows, columns)), shape=(SIZE, SIZE)).tocsr()
        assert made.indptr.tolist() == expected.indptr.tolist()
        assert made.indices.tolist() == expected.indices.tolist()
        assert made.data.tobytes() == expected.data.tobytes()
        seed += 1
