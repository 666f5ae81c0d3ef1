echo "items listed: $(wc -l < coding/report.txt)"
