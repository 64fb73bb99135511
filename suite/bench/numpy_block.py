# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPT-2's block in NumPy, float32, timed on request: bench_block's peer.

    python numpy_block.py T C HEADS LIBRARY

Reads the block's arguments as raw float32 in their order, then one word per line:
    own      runs the block once with NumPy's matmul, and answers the seconds
    same     the same with the cblas_sgemm of LIBRARY, the one that the backend `blas` calls
    result   answers the bytes of the last result, raw
"""

import ctypes
import math
import sys
import time

import numpy as np

ROW_MAJOR, NO_TRANS, TRANS = 101, 111, 112


def own_matmul(a, b):
    return a @ b


def same_matmul(library):
    """a @ b by the library's cblas_sgemm, operands as they lie: rows or columns contiguous."""
    sgemm = ctypes.CDLL(library).cblas_sgemm
    matrix = [ctypes.c_void_p, ctypes.c_int]
    sgemm.argtypes = ([ctypes.c_int] * 6 + [ctypes.c_float] + matrix * 2 + [ctypes.c_float] + matrix)
    sgemm.restype = None

    def operand(x):
        rows, columns = (s // x.itemsize for s in x.strides[-2:])
        return (NO_TRANS, rows) if columns == 1 else (TRANS, columns)

    def matmul(a, b):
        (m, k), n = a.shape[-2:], b.shape[-1]
        out = np.empty(a.shape[:-1] + (n,), np.float32)
        (a_trans, lda), (b_trans, ldb) = operand(a), operand(b)
        steps = [x.strides[0] if x.ndim == 3 else 0 for x in (a, b, out)]
        pa, pb, pc = (x.ctypes.data for x in (a, b, out))
        for i in range(a.shape[0] if a.ndim == 3 else 1):
            sgemm(ROW_MAJOR, a_trans, b_trans, m, n, k, 1.0, pa + i * steps[0], lda,
                  pb + i * steps[1], ldb, 0.0, pc + i * steps[2], n)
        return out

    return matmul


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def layer_norm(x, gain, bias):
    centered = x - x.mean(-1, keepdims=True)
    variance = (centered * centered).mean(-1, keepdims=True)
    return centered / np.sqrt(variance + 1e-5) * gain + bias


def gelu(x):
    # x * x * x: NumPy's x**3 calls pow for every element.
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + x * x * x * 0.044715)))


def attention(x, weights, heads, matmul):
    qkv_weight, qkv_bias, out_weight, out_bias = weights
    length, width = x.shape
    packed = matmul(x, qkv_weight) + qkv_bias
    q, k, v = (packed[:, i * width:(i + 1) * width].reshape(length, heads, -1).transpose(1, 0, 2)
               for i in range(3))
    mask = np.where(np.tri(length, dtype=bool), np.float32(0), np.float32(-1e10))
    logits = matmul(q, k.transpose(0, 2, 1)) / math.sqrt(width // heads) + mask
    merged = matmul(softmax(logits), v).transpose(1, 0, 2).reshape(length, width)
    return matmul(merged, out_weight) + out_bias


def block(x, weights, heads, matmul):
    gain, bias, *attending = weights[:6]
    gain2, bias2, up_weight, up_bias, down_weight, down_bias = weights[6:]
    x = x + attention(layer_norm(x, gain, bias), attending, heads, matmul)
    up = gelu(matmul(layer_norm(x, gain2, bias2), up_weight) + up_bias)
    return x + (matmul(up, down_weight) + down_bias)


def main():
    t, c, heads = map(int, sys.argv[1:4])
    shapes = [(t, c), (c,), (c,), (c, 3 * c), (3 * c,), (c, c), (c,),
              (c,), (c,), (c, 4 * c), (4 * c,), (4 * c, c), (c,)]
    stream = sys.stdin.buffer
    x, *weights = (np.frombuffer(stream.read(4 * math.prod(s)), np.float32).reshape(s)
                   for s in shapes)
    matmuls = {"own": own_matmul, "same": same_matmul(sys.argv[4])}
    result = None
    for line in stream:
        word = line.decode().strip()
        if word == "result":
            sys.stdout.buffer.write(result.tobytes())
        else:
            start = time.perf_counter()
            result = block(x, weights, heads, matmuls[word])
            print(time.perf_counter() - start)
        sys.stdout.flush()


main()
