def step(n):
    return n // 2 if n % 2 == 0 else 3 * n + 1


n, count = 27, 0
while n != 1:
    n = step(n)
    count += 1
print(count)
